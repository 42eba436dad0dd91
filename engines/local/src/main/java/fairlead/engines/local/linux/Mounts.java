package fairlead.engines.local.linux;

import fairlead.job.Container.Mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Folders at paths of their own for tasks without containers, by mount namespaces. Nothing is
 * created on the machine, and all of it goes with the task's last process. Safe for all threads.
 *
 * <p>The task's own account mounts, inside a user namespace, and so can mount nothing that it may
 * not see. Root has no need of one for its own tasks, and no wish either: in it root would lose its
 * power over the files of other accounts.
 */
public final class Mounts {
    /** How an account comes to a mount namespace. */
    private enum Way {
        PLAIN,
        USER
    }

    /** Who runs a task: ourselves, or another account, which only a root server can change to. */
    private record Who(int uid, int gid, Optional<Accounts.Account> other) {}

    /** Some twenty mounts take 50 ms; a file system that hangs must not hang whoever submits. */
    private static final long PROBE_SECONDS_MAX = 10;

    private static final int COMPLAINT_BYTES_MAX = 4_096;

    private static final String INSTEAD =
            " cannot be given; use paths of the machine: --workdir DIR for the code,"
                    + " FAIRLEAD_SNAPSHOTS=DIR for checkpoints";

    private static final Mount PROBE = new Mount("/etc", "/fairlead-probe", true);
    private static final List<String> PROBE_COMMAND =
            List.of(Shim.PROGRAM, "-c", "[ -d " + PROBE.target() + " ]");

    private final Optional<MountScript> script;

    /** Only what worked: a machine that is set right meanwhile needs no restart of its server. */
    private final Map<Who, Way> ways = new ConcurrentHashMap<>();

    public Mounts(Optional<MountScript> script) {
        this.script = script;
    }

    /**
     * Why this machine can never give a task these mounts; empty when it can. The first question of
     * an account tries it out, in a process of its own.
     */
    public Optional<String> refusal(List<Mount> mounts, Optional<Accounts.Account> other) {
        if (mounts.isEmpty()) return Optional.empty();
        String targets = mounts.stream().map(Mount::target).collect(Collectors.joining(", "));
        return trouble(who(other)).map(why -> why + ", so " + targets + INSTEAD);
    }

    /** The command inside its mounts. Only for mounts that are not refused. */
    public List<String> around(
            List<Mount> mounts,
            Optional<Accounts.Account> other,
            String workingFolder,
            List<String> command) {
        Who who = who(other);
        return words(ways.get(who), who, mounts, workingFolder, command);
    }

    private static Who who(Optional<Accounts.Account> other) {
        return other.map(account -> new Who(account.uid(), account.gid(), other))
                .orElseGet(() -> new Who(Libc.effectiveUser(), Libc.effectiveGroup(), other));
    }

    private Optional<String> trouble(Who who) {
        if (script.isEmpty()) {
            return Optional.of(
                    "this machine lacks the programs unshare, mount, umount or pivot_root"
                            + " (util-linux)");
        }
        if (ways.containsKey(who)) return Optional.empty();
        Optional<String> complaint = Optional.empty();
        for (Way way : Way.values()) {
            if (way == Way.PLAIN && who.uid() != 0) continue;
            var words = words(way, who, List.of(PROBE), "/", PROBE_COMMAND);
            complaint = complaint(dropped(who, words));
            if (complaint.isEmpty()) {
                ways.put(who, way);
                return Optional.empty();
            }
        }
        return complaint.map(text -> "this machine allows no mount namespaces (" + text + ")");
    }

    private List<String> words(
            Way way, Who who, List<Mount> mounts, String workingFolder, List<String> command) {
        MountScript steps = script.orElseThrow();
        return switch (way) {
            case PLAIN -> steps.plain(mounts, workingFolder, command);
            case USER -> steps.asUser(who.uid(), who.gid(), mounts, workingFolder, command);
        };
    }

    private static List<String> dropped(Who who, List<String> words) {
        if (who.other().isEmpty()) return words;
        String setpriv = Accounts.setpriv().orElseThrow().toString();
        return Shim.dropped(who.other().get(), setpriv, "/", words);
    }

    /** What a command says when it fails; empty when it succeeds. */
    private static Optional<String> complaint(List<String> command) {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        try {
            var process = builder.start();
            try (var output = process.getInputStream()) {
                process.getOutputStream().close();
                if (!process.waitFor(PROBE_SECONDS_MAX, TimeUnit.SECONDS)) {
                    return Optional.of("a try took more than " + PROBE_SECONDS_MAX + " s");
                }
                if (process.exitValue() == 0) return Optional.empty();
                byte[] said = output.readNBytes(COMPLAINT_BYTES_MAX);
                return Optional.of(
                        new String(said, StandardCharsets.UTF_8)
                                .lines()
                                .findFirst()
                                .orElse("exit code " + process.exitValue()));
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException problem) {
            return Optional.of(String.valueOf(problem.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }
}
