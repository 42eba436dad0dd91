package fairlead.engines.local.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engines.local.container.ContainerProgram;
import fairlead.engines.local.linux.Cgroups;
import fairlead.engines.local.linux.Libc;
import fairlead.engines.local.linux.Processes;
import fairlead.job.Exit;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Finds out how tasks ended, and sees to it that nothing of them is left. The caller holds the
 * monitor of each task's attempt.
 *
 * <p>A process is taken for a task's when it bears the task's mark or is in the session of its
 * living shim. One that has done away with both its environment and its session is only caught
 * where the task has a control group.
 */
public final class Reaper {
    private static final Logger LOG = System.getLogger(Reaper.class.getName());

    /** 128 + SIGTERM, as the command itself would have answered. */
    private static final int STOPPED = 143;

    /** 128 + SIGKILL. */
    private static final int KILLED = 137;

    /** Podman and docker answer these when they, or the runtime, cannot start the command. */
    private static final int PROGRAM_FAILED_FIRST = 125;

    private static final int PROGRAM_FAILED_LAST = 127;

    /** Longer than what a registry says. */
    private static final int LAST_WORDS_BYTES_MAX = 4_096;

    /**
     * A killed process takes a few milliseconds to go; one that waits for a broken disk takes
     * longer.
     */
    private static final int KILL_ROUNDS_MAX = 50;

    private static final Duration KILL_PAUSE = Duration.ofMillis(4);

    /**
     * A shim needs microseconds from making its claim to writing it; the looks are a second apart.
     */
    private static final int DOUBTS_MAX = 2;

    private final ExitWatch watch;
    private final Optional<Cgroups> cgroups;
    private final long logBytesMax;
    private final Set<String> emptyGroups = ConcurrentHashMap.newKeySet();

    public Reaper(ExitWatch watch, Optional<Cgroups> cgroups, long logBytesMax) {
        this.watch = watch;
        this.cgroups = cgroups;
        this.logBytesMax = logBytesMax;
    }

    /**
     * Brings a started task that is not under watch up to date: takes up its process, or records
     * how it ended. What is not known yet is left for the next time.
     */
    public void settle(LiveTask task) throws IOException {
        var files = task.attempt.files;
        var exit = files.exit(task.id);
        if (exit.isPresent()) {
            end(task, exit.get());
            return;
        }
        switch (files.claim(task.id)) {
            case AttemptFiles.Claim.Nobody _ -> {
                if (files.claimForNobody(task.id)) lost(task, "its process ended before it began");
            }
            case AttemptFiles.Claim.Never _ -> end(task, stoppedBeforeStart());
            case AttemptFiles.Claim.Unwritten _ -> {
                if (++task.doubts >= DOUBTS_MAX) {
                    lost(task, "it could not note down its start; the disk may be full");
                }
            }
            case AttemptFiles.Claim.By(int pid) -> takeUp(task, pid);
        }
    }

    private void takeUp(LiveTask task, int pid) throws IOException {
        if (isShim(task, pid)) {
            var shim = watch.watch(pid, task);
            if (shim == null) return;
            // Again, as only now the number cannot pass to another process unnoticed.
            if (isShim(task, pid)) {
                task.shim = shim;
                if (task.attempt.signalled) terminate(task);
                return;
            }
            watch.release(shim);
        }
        var exit = task.attempt.files.exit(task.id);
        if (exit.isPresent()) {
            end(task, exit.get());
        } else {
            lost(task, "its process vanished: the machine was restarted, or somebody killed it");
        }
    }

    private static boolean isShim(LiveTask task, int pid) throws IOException {
        return Processes.mark(pid).equals(task.mark);
    }

    private void lost(LiveTask task, String why) throws IOException {
        if (!killAll(Set.of(task))) return;
        if (ranOutOfMemory(task)) {
            // The kernel took the shim along with the rest of the group.
            end(task, killed(task, AttemptFiles.OUT_OF_MEMORY));
        } else {
            end(task, Exit.lost(why, Instant.now()));
        }
    }

    private boolean ranOutOfMemory(LiveTask task) throws IOException {
        return cgroups.isPresent() && cgroups.get().ranOutOfMemory(task.groupName());
    }

    static Exit stoppedBeforeStart() {
        return Exit.stopped(STOPPED, "stopped before it started", Instant.now());
    }

    /**
     * The polite signal, to the process group. A task that is suspended is woken to hear it. One in
     * a container hears it there, once: two at the same time may spoil what it does at its end.
     */
    void terminate(LiveTask task) throws IOException {
        if (task.shim == null) return;
        boolean isContained = ContainerRef.isContained(task);
        if (isContained && isHeardInside(task)) {
            task.reminded = true;
            return;
        }
        Libc.kill(-task.shim.pid(), Libc.SIGTERM);
        // Into a container both would be handed on, and the second only be complained of.
        if (!isContained) Libc.kill(-task.shim.pid(), Libc.SIGCONT);
    }

    /**
     * The signal once more, for a command that may not have been there to hear the first. False
     * while a container has none yet that could.
     */
    boolean remind(LiveTask task) throws IOException {
        if (task.shim == null) return true;
        if (ContainerRef.isContained(task)) return isHeardInside(task);
        terminate(task);
        return true;
    }

    /**
     * Signals the container itself, where it is up. The program that runs it would hand it on, but
     * when the container has just ended takes it for its own, and its code hides the command's.
     */
    private static boolean isHeardInside(LiveTask task) throws IOException {
        Predicate<Processes.Found> inside =
                found -> found.mark().equals(task.mark) && found.session() != task.shim.pid();
        for (var found : Processes.all()) {
            if (!inside.test(found) || !Processes.handsOn(found.pid(), Libc.SIGTERM)) continue;
            Processes.signal(found.pid(), Libc.SIGTERM, inside);
            return true;
        }
        return false;
    }

    /** Ends tasks by force. False when something is left that even SIGKILL has not ended yet. */
    boolean endByForce(Collection<LiveTask> tasks, String why) throws IOException {
        if (!killAll(tasks)) return false;
        for (LiveTask task : tasks) {
            var told = task.attempt.files.exit(task.id);
            end(task, told.isPresent() ? told.get() : killed(task, why));
        }
        return true;
    }

    /** The exit of a task whose shim was killed with it. */
    private static Exit killed(LiveTask task, String why) {
        try {
            task.attempt.files.writeExit(task.id, KILLED, why);
        } catch (IOException problem) {
            // On a full disk, say. Only a restart before anyone looks would show the task as lost.
            LOG.log(Level.WARNING, "cannot note the end of {0}: {1}", task.attempt.id, problem);
        }
        boolean isMemory = why.equals(AttemptFiles.OUT_OF_MEMORY);
        return new Exit(OptionalInt.of(KILLED), true, isMemory, why, Instant.now());
    }

    private boolean killAll(Collection<LiveTask> tasks) throws IOException {
        var marks = new HashMap<String, LiveTask>();
        var sessions = new HashSet<Integer>();
        for (LiveTask task : tasks) {
            marks.put(task.mark, task);
            if (task.shim != null && isShim(task, task.shim.pid())) sessions.add(task.shim.pid());
            if (cgroups.isPresent()) cgroups.get().kill(task.groupName());
        }
        Predicate<Processes.Found> ours =
                found -> marks.containsKey(found.mark()) || sessions.contains(found.session());
        if (!killed(ours)) return false;
        var containers = new ArrayList<ContainerRef>();
        for (LiveTask task : tasks) containers.addAll(ContainerRef.allOf(task));
        if (containers.isEmpty()) return true;
        // What started them is dead by now, so that no more come.
        var trouble = ContainerRef.remove(containers);
        trouble.ifPresent(why -> LOG.log(Level.WARNING, "cannot remove containers: {0}", why));
        return trouble.isEmpty() && killed(ours);
    }

    private static boolean killed(Predicate<Processes.Found> ours) throws IOException {
        for (int round = 0; round < KILL_ROUNDS_MAX; round++) {
            var left = Processes.all().stream().filter(ours).toList();
            if (left.isEmpty()) return true;
            for (var found : left) Processes.kill(found.pid(), ours);
            LockSupport.parkNanos(KILL_PAUSE.toNanos());
        }
        return false;
    }

    private void end(LiveTask task, Exit exit) throws IOException {
        if (task.shim != null) {
            watch.release(task.shim);
            Libc.reap(task.shim.pid());
            task.shim = null;
        }
        task.started = true;
        Exit told = noteMemory(task, noteContainer(task, exit));
        task.attempt.files.deletePassing(task.id);
        // An exit that is seen after the order to stop may have come from it; see Keeper.stop.
        task.exit =
                task.attempt.isStopping() && !told.isLost()
                        ? new Exit(told.code(), true, told.outOfMemory(), told.note(), told.at())
                        : told;
    }

    /**
     * Codes that the program of a container uses for itself too. What it then says stands last in
     * the log: the words of a registry, or that the image lacks the command.
     */
    private static Exit noteContainer(LiveTask task, Exit exit) throws IOException {
        boolean isCode =
                !exit.isLost()
                        && exit.note().isEmpty()
                        && exit.code().getAsInt() >= PROGRAM_FAILED_FIRST
                        && exit.code().getAsInt() <= PROGRAM_FAILED_LAST;
        if (!isCode || !ContainerRef.isContained(task)) return exit;
        var log = new LogFile(task.attempt.files.log(task.id));
        long from = Math.max(log.start(), log.end() - LAST_WORDS_BYTES_MAX);
        String words = new String(log.read(from, LAST_WORDS_BYTES_MAX), UTF_8);
        var line = words.lines().filter(each -> !each.isBlank()).reduce((_, last) -> last);
        if (line.isEmpty() || !line.get().matches("(Error|docker): .*")) return exit;
        String why = ContainerProgram.lastLine(words).orElseThrow();
        task.attempt.files.writeExit(
                task.id, exit.code().getAsInt(), "the container did not start: " + why);
        return task.attempt.files.exit(task.id).orElseThrow();
    }

    private Exit noteMemory(LiveTask task, Exit exit) throws IOException {
        if (cgroups.isEmpty()) return exit;
        Exit told = exit;
        if (!exit.isLost() && exit.note().isEmpty() && ranOutOfMemory(task)) {
            task.attempt.files.writeExit(
                    task.id, exit.code().getAsInt(), AttemptFiles.OUT_OF_MEMORY);
            told = task.attempt.files.exit(task.id).orElseThrow();
        }
        if (!cgroups.get().remove(task.groupName())) emptyGroups.add(task.groupName());
        return told;
    }

    /**
     * Kills what ended or unknown tasks of this engine have left behind. True when nothing was
     * left.
     *
     * @param marksThatMayRun asked after the look at the processes, so a task started meanwhile is
     *     safe
     */
    public static boolean killOrphans(String engine, Supplier<Set<String>> marksThatMayRun)
            throws IOException {
        var ours = Processes.all().stream().filter(found -> found.mark().startsWith(engine + "/"));
        var candidates = ours.toList();
        var alive = marksThatMayRun.get();
        Predicate<Processes.Found> orphan =
                found -> found.mark().startsWith(engine + "/") && !alive.contains(found.mark());
        var left = candidates.stream().filter(orphan).toList();
        for (var found : left) Processes.kill(found.pid(), orphan);
        return left.isEmpty();
    }

    void trimLog(LiveTask task) throws IOException {
        new LogFile(task.attempt.files.log(task.id)).trim(logBytesMax);
    }

    void removeEmptyGroups() {
        if (cgroups.isPresent()) emptyGroups.removeIf(cgroups.get()::remove);
    }
}
