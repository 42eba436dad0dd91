package fairlead.engines.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The folders of a container's volumes, put in their places by a mount namespace of its own. Needs
 * root. The other folders of this machine stay where they are.
 */
final class PodMounts {
    /**
     * A folder at a path of the container.
     *
     * @param from on this machine; exists
     */
    record Bind(Path from, String target, boolean readOnly) {}

    /**
     * Arguments: the working folder, the number of binds; from, target and ro or rw of each; then
     * the command. The new root lies in memory, over /sys, where nobody has folders.
     */
    private static final String SCRIPT =
            """
            refuse() { echo "test kubelet: $1" >&2; exit 126; }
            mount -n -t tmpfs -o mode=755,size=1m pod /sys && cd /sys && mkdir .old .from sys ||
                refuse 'cannot make a root'
            for each in /*; do
                if [ "$each" = /sys ]; then :
                elif [ -L "$each" ]; then ln -s "$(readlink "$each")" ".$each"
                elif [ -d "$each" ]; then mkdir ".$each" && mount -n --rbind "$each" ".$each"
                elif [ -e "$each" ]; then : >".$each" && mount -n --bind "$each" ".$each"
                fi || refuse "cannot show $each"
            done
            work=$1 count=$2
            shift 2
            i=0
            while [ $i -lt "$count" ]; do
                eval "from=\\${$((3 * i + 1))} target=\\${$((3 * i + 2))}"
                mkdir ".from/$i" && mount -n --rbind "$from" ".from/$i" || refuse "cannot bind $from"
                top=${target#/}
                [ -e "/${top%%/*}" ] || mkdir -p ".$target" || refuse "cannot make $target"
                i=$((i + 1))
            done
            pivot_root . .old && cd / && mount -n --rbind /.old/sys /sys || refuse 'cannot enter'
            i=0
            while [ $i -lt "$count" ]; do
                eval "target=\\${$((3 * i + 2))} mode=\\${$((3 * i + 3))}"
                [ -d "$target" ] ||
                    refuse "cannot mount at $target: take a path whose first part is new"
                mount -n --rbind "/.from/$i" "$target" || refuse "cannot mount $target"
                [ "$mode" = rw ] || mount -n -o remount,bind,ro "$target" || refuse "not ro: $target"
                i=$((i + 1))
            done
            umount -nR /.from/* && umount -nl /.old && rmdir /.from/* /.from /.old ||
                refuse 'cannot leave the old root'
            cd "$work" || refuse "cannot enter $work"
            shift $((3 * count))
            unset i from target mode top each work count OLDPWD
            exec "$@"
            """;

    private static final Optional<String> OBSTACLE = obstacle();

    private PodMounts() {}

    /** Why folders cannot be mounted here; empty when they can. */
    static Optional<String> whyNot() {
        return OBSTACLE;
    }

    private static Optional<String> obstacle() {
        try {
            var trial =
                    new ProcessBuilder("unshare", "--mount", "mount", "-t", "tmpfs", "pod", "/sys")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (trial.waitFor(10, TimeUnit.SECONDS) && trial.exitValue() == 0) {
                return Optional.empty();
            }
            return Optional.of("this account may not mount folders in a namespace of its own");
        } catch (IOException e) {
            return Optional.of("there is no unshare here: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts a test's start", e);
        }
    }

    /** The command with its folders in place. Without folders it is as it was. */
    static List<String> wrap(List<Bind> binds, String workingFolder, List<String> command) {
        if (binds.isEmpty()) return command;
        var words = new ArrayList<>(List.of("unshare", "--mount", "--", "/bin/sh", "-c", SCRIPT));
        words.addAll(List.of("pod", workingFolder, Integer.toString(binds.size())));
        // The outer ones first: they would hide those inside them.
        binds.stream()
                .sorted(Comparator.comparing(bind -> Path.of(bind.target()).normalize()))
                .forEach(
                        bind ->
                                words.addAll(
                                        List.of(
                                                bind.from().toString(),
                                                bind.target(),
                                                bind.readOnly() ? "ro" : "rw")));
        words.addAll(command);
        return words;
    }

    /** Where a path of the container lies on this machine. */
    static Path outside(List<Bind> binds, String inside) {
        Path path = Path.of(inside).normalize();
        return binds.stream()
                .filter(bind -> path.startsWith(Path.of(bind.target()).normalize()))
                .max(Comparator.comparing(bind -> Path.of(bind.target()).getNameCount()))
                .map(
                        bind ->
                                bind.from()
                                        .resolve(
                                                Path.of(bind.target())
                                                        .normalize()
                                                        .relativize(path)
                                                        .toString()))
                .orElse(path);
    }

    /** Whether a container could begin with this word, by its PATH. */
    static boolean canRun(List<Bind> binds, String word, String workingFolder, String path) {
        if (word.contains("/")) {
            return Files.isExecutable(
                    outside(binds, Path.of(workingFolder).resolve(word).toString()));
        }
        for (String folder : path.split(":")) {
            if (!folder.isEmpty() && Files.isExecutable(outside(binds, folder + "/" + word))) {
                return true;
            }
        }
        return false;
    }
}
