package fairlead.engine;

import fairlead.job.Container;
import fairlead.job.Container.Mount;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How a task without a container gets folders at paths of its own: a shell script that runs in a
 * mount namespace of the task's, makes a new root there and becomes the task's command.
 */
public final class MountSteps {
    /**
     * Arguments: mount, umount, pivot_root, the words that come before the command, the working
     * folder, the number of mounts; then source, target and ro or rw of each; then the command.
     *
     * <p>The new root is a folder in memory that is made over /sys, as nobody's folders are there.
     * Sources are bound before the root changes, so no mount hides the source of another. A target
     * is created only where the first part of its path is new, which is in memory; elsewhere it
     * would be left on the machine. Read-only holds for what is mounted below the source too. No
     * step writes to the machine's own list of mounts (-n), which an ordinary account may not.
     */
    public static final String SCRIPT =
            """
            refuse() {
                printf 'fairlead: %s\\n' "$1" >&2
                exit 126
            }
            next() {
                eval "FAIRLEAD_SOURCE=\\${$((FAIRLEAD_AT + 1))}"
                eval "FAIRLEAD_TARGET=\\${$((FAIRLEAD_AT + 2))}"
                eval "FAIRLEAD_MODE=\\${$((FAIRLEAD_AT + 3))}"
                FAIRLEAD_AT=$((FAIRLEAD_AT + 3))
            }
            cannot() {
                refuse "cannot mount $FAIRLEAD_SOURCE at $FAIRLEAD_TARGET$1"
            }
            bind() {
                "$FAIRLEAD_MOUNT" -n --rbind "$1" "$2"
            }
            read_only() {
                while read -r _ _ _ _ FAIRLEAD_POINT FAIRLEAD_MODE _; do
                    FAIRLEAD_POINT=$(printf '%b.' "$FAIRLEAD_POINT")
                    case ${FAIRLEAD_POINT%.}/ in
                    "$1"/*) ;;
                    *) continue ;;
                    esac
                    "$FAIRLEAD_MOUNT" -n -o "remount,bind,$FAIRLEAD_MODE,ro" none \
                        "${FAIRLEAD_POINT%.}" || return
                done </proc/self/mountinfo
            }
            FAIRLEAD_MOUNT=$1 FAIRLEAD_LAST=$((6 + 3 * $6))

            "$1" -n -t tmpfs -o nosuid,nodev,mode=755,size=1m fairlead /sys && cd /sys &&
                command -p mkdir .old .from sys || refuse 'cannot make a new root'
            for FAIRLEAD_SOURCE in /* /.[!.]* /..?*; do
                FAIRLEAD_TARGET=.$FAIRLEAD_SOURCE
                if [ "$FAIRLEAD_SOURCE" = /sys ]; then
                    :
                elif [ -L "$FAIRLEAD_SOURCE" ]; then
                    command -p ln -s "$(command -p readlink "$FAIRLEAD_SOURCE")" "$FAIRLEAD_TARGET"
                elif [ -d "$FAIRLEAD_SOURCE" ]; then
                    command -p mkdir "$FAIRLEAD_TARGET" &&
                        bind "$FAIRLEAD_SOURCE" "$FAIRLEAD_TARGET"
                elif [ -e "$FAIRLEAD_SOURCE" ]; then
                    : >"$FAIRLEAD_TARGET" && bind "$FAIRLEAD_SOURCE" "$FAIRLEAD_TARGET"
                fi || printf 'fairlead: this task has no %s\\n' "$FAIRLEAD_SOURCE" >&2
            done

            FAIRLEAD_AT=6
            while [ $FAIRLEAD_AT -lt $FAIRLEAD_LAST ]; do
                next "$@"
                [ -d "$FAIRLEAD_SOURCE/." ] ||
                    cannot ': there is no such folder, or it may not be seen'
                command -p mkdir ".from/$FAIRLEAD_AT" &&
                    bind "$FAIRLEAD_SOURCE" ".from/$FAIRLEAD_AT" || cannot
                [ "$FAIRLEAD_MODE" = rw ] || read_only "/sys/.from/$FAIRLEAD_AT" || cannot
                FAIRLEAD_SOURCE=${FAIRLEAD_TARGET#/}
                FAIRLEAD_SOURCE=/${FAIRLEAD_SOURCE%%/*}
                [ -e "$FAIRLEAD_SOURCE" ] || [ -L "$FAIRLEAD_SOURCE" ] ||
                    command -p mkdir -p ".$FAIRLEAD_TARGET" || refuse "cannot make $FAIRLEAD_TARGET"
            done

            "$3" . .old && cd / && bind /.old/sys /sys || refuse 'cannot enter the new root'
            FAIRLEAD_AT=6
            while [ $FAIRLEAD_AT -lt $FAIRLEAD_LAST ]; do
                next "$@"
                [ -d "$FAIRLEAD_TARGET" ] ||
                    cannot ': make that folder first, or choose a path whose first part is new'
                "$1" -n --move "/.from/$FAIRLEAD_AT" "$FAIRLEAD_TARGET" &&
                    command -p rmdir "/.from/$FAIRLEAD_AT" || cannot
            done
            "$2" -nl /.old && command -p rmdir /.old /.from &&
                "$1" -n -o remount,bind,nosuid,nodev,ro none / || refuse 'cannot leave the old root'

            cd "$5" 2>/dev/null || refuse "cannot enter the working folder $5"
            FAIRLEAD_SOURCE=$4
            shift $FAIRLEAD_LAST
            FOUND || {
                printf 'fairlead: %s: not found\\n' "$1" >&2
                exit 127
            }
            set -- $FAIRLEAD_SOURCE "$@"
            unset OLDPWD FAIRLEAD_MOUNT FAIRLEAD_LAST FAIRLEAD_AT
            unset FAIRLEAD_SOURCE FAIRLEAD_TARGET FAIRLEAD_MODE FAIRLEAD_POINT
            exec "$@"
            """
                    .replace("FOUND", CommandFound.TEST);

    private MountSteps() {}

    /** The script's arguments from the working folder on. */
    public static List<String> arguments(
            List<Mount> mounts, String workingFolder, List<String> command) {
        var words = new ArrayList<>(List.of(workingFolder, Integer.toString(mounts.size())));
        // The outer ones first: they would hide those inside them.
        mounts.stream()
                .sorted(Comparator.comparing(each -> Path.of(each.target()).normalize()))
                .forEach(
                        each -> {
                            words.add(((Container.Folder) each.source()).path());
                            words.add(Path.of(each.target()).normalize().toString());
                            words.add(each.readOnly() ? "ro" : "rw");
                        });
        words.addAll(command);
        return words;
    }
}
