package fairlead.engines.local.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What /proc says about the processes of this machine. A process belongs to a task when its
 * environment bears the task's mark; a pid alone proves nothing, as the kernel uses it again.
 */
public final class Processes {
    /** The variable that bears the mark. */
    public static final String MARK = "FAIRLEAD_MARK";

    /** Between the mark of a task and the name of a command beside it. */
    private static final char BESIDE = ' ';

    /**
     * A process that has not ended. The mark is empty where we may not read it or there is none.
     *
     * @param beside names the command beside a task in a container that has started it; else empty
     */
    public record Found(int pid, int session, String mark, String beside) {}

    /** What a command beside a task in a container bears: it is in no session of ours. */
    public static String markBeside(String mark, String beside) {
        return mark + BESIDE + beside;
    }

    private static final Path PROC = Path.of("/proc");
    private static final String ENDED = Libc.errorText(Libc.ESRCH);

    private Processes() {}

    /** All that have not ended, except ourselves: a server may itself bear the mark of a task. */
    public static List<Found> all() throws IOException {
        var found = new ArrayList<Found>();
        int self = (int) ProcessHandle.current().pid();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path entry : entries) {
                int pid = Integer.parseInt(entry.getFileName().toString());
                if (pid != self) look(pid).ifPresent(found::add);
            }
        }
        return found;
    }

    public static Optional<Found> look(int pid) throws IOException {
        var session = session(pid);
        if (session.isEmpty()) return Optional.empty();
        String[] parts = fullMark(pid).split(String.valueOf(BESIDE), 2);
        return Optional.of(
                new Found(pid, session.get(), parts[0], parts.length == 2 ? parts[1] : ""));
    }

    /** The first child of a process that has not ended. */
    public static Optional<Integer> childOf(int parent) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path entry : entries) {
                int pid = Integer.parseInt(entry.getFileName().toString());
                var fields = fields(pid);
                if (fields.isPresent() && Integer.parseInt(fields.get()[1]) == parent)
                    return Optional.of(pid);
            }
        }
        return Optional.empty();
    }

    /** The words that a process was started with, each with a zero byte at its end. */
    public static String arguments(int pid) throws IOException {
        return new String(read(pid, "cmdline"), StandardCharsets.UTF_8);
    }

    /** The variables that it was started with, of the form NAME=value. */
    public static List<byte[]> variables(int pid) throws IOException {
        byte[] environment = read(pid, "environ");
        var entries = new ArrayList<byte[]>();
        int from = 0;
        for (int i = 0; i < environment.length; i++) {
            if (environment[i] != 0) continue;
            entries.add(Arrays.copyOfRange(environment, from, i));
            from = i + 1;
        }
        return entries;
    }

    private static Optional<Integer> session(int pid) throws IOException {
        return fields(pid).map(fields -> Integer.parseInt(fields[3]));
    }

    /** Of its status, from its state on; empty when it has ended. */
    private static Optional<String[]> fields(int pid) throws IOException {
        byte[] stat = read(pid, "stat");
        String text = new String(stat, StandardCharsets.ISO_8859_1);
        // PID (NAME) STATE PPID PGRP SESSION; the name may hold spaces and parentheses.
        int end = text.lastIndexOf(')');
        if (end < 0) return Optional.empty();
        String[] fields = text.substring(end + 2).split(" ", 5);
        boolean ended = fields[0].equals("Z") || fields[0].equals("X");
        return ended ? Optional.empty() : Optional.of(fields);
    }

    /** Empty when the process has ended, bears no mark, or is another user's. */
    public static String mark(int pid) throws IOException {
        return fullMark(pid).split(String.valueOf(BESIDE), 2)[0];
    }

    private static String fullMark(int pid) throws IOException {
        String prefix = MARK + "=";
        String text = new String(read(pid, "environ"), StandardCharsets.UTF_8);
        int at = text.startsWith(prefix) ? 0 : text.indexOf("\0" + prefix) + 1;
        if (!text.startsWith(prefix, at)) return "";
        int end = text.indexOf('\0', at);
        return text.substring(at + prefix.length(), end < 0 ? text.length() : end);
    }

    private static byte[] read(int pid, String file) throws IOException {
        try {
            return Files.readAllBytes(PROC.resolve(pid + "/" + file));
        } catch (NoSuchFileException | AccessDeniedException _) {
            return new byte[0];
        } catch (IOException problem) {
            // Too many open files, say, must not look like a process that has ended.
            if (String.valueOf(problem.getMessage()).endsWith(ENDED)) return new byte[0];
            throw problem;
        }
    }

    /**
     * Whether it is a container's first process, which hands signals on to its command, and has
     * begun to wait for this one: until then the kernel drops what such a process gets.
     */
    public static boolean handsOn(int pid, int signal) throws IOException {
        boolean isFirst = false;
        long awaited = 0;
        String status = new String(read(pid, "status"), StandardCharsets.UTF_8);
        for (String line : status.lines().toList()) {
            if (line.startsWith("NSpid:")) isFirst = line.endsWith("\t1");
            if (line.startsWith("SigBlk:") || line.startsWith("SigCgt:"))
                awaited |= Long.parseUnsignedLong(line.substring(line.indexOf('\t') + 1), 16);
        }
        return isFirst && (awaited & 1L << (signal - 1)) != 0;
    }

    /** Kills the process if it still is what the caller takes it for. */
    public static void kill(int pid, Predicate<Found> still) throws IOException {
        signal(pid, Libc.SIGKILL, still);
    }

    /** Signals the process if it still is what the caller takes it for. */
    public static void signal(int pid, int signal, Predicate<Found> still) throws IOException {
        int pidfd = Libc.pidfdOpen(pid);
        if (pidfd < 0) return;
        // The pidfd first, the look second: what we then see is what the signal reaches.
        try {
            if (look(pid).filter(still).isPresent()) Libc.pidfdSendSignal(pidfd, signal);
        } finally {
            Libc.close(pidfd);
        }
    }
}
