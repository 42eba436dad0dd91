package fairlead.engines.local.task;

import fairlead.engine.OwnerOnly;
import fairlead.engines.local.linux.Accounts;
import fairlead.job.Exit;
import fairlead.job.ImageLogin;
import fairlead.job.TaskId;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of one attempt, which shims write and servers read. They lie in the folder of their job
 * and begin with the attempt's number: {@code 1.worker-0.task} and {@code .log} for each task,
 * {@code .input} for one that reads while it runs, {@code .folder} for one that has a folder,
 * {@code .container}, {@code .cid}, {@code .env} and {@code .login} for one in a container, {@code
 * 1.stop} once a stop is asked, and {@code 1.never} for an attempt stopped before its launch.
 *
 * <p>A task's file has a line with the pid of the shim that claimed it, and once the task has ended
 * one with its exit code, then perhaps a note. The code needs no block of its own on the disk, so a
 * full one does not lose it.
 */
public record AttemptFiles(Path folder, int number) {
    /** Who has a task. */
    sealed interface Claim {
        record Nobody() implements Claim {}

        /** It was stopped first, so no shim may have it any more. */
        record Never() implements Claim {}

        /**
         * A shim is between creating the file and writing to it, or could not write: a full disk.
         */
        record Unwritten() implements Claim {}

        record By(int pid) implements Claim {}
    }

    /** When force is due, on the wall clock, and the grace that led to it. */
    record StopOrder(Instant forceAt, Duration grace) {}

    /** The one note that is also a mark: no other reason for an end reads so. */
    static final String OUT_OF_MEMORY = "killed: it used more memory than it asked for";

    private static final String NEVER = "never";

    /** In memory, on every Linux. */
    private static final Path FOR_OTHERS = Path.of("/run/fairlead");

    private static final Set<PosixFilePermission> PASSABLE =
            PosixFilePermissions.fromString("rwx--x--x");

    private static final Pattern EXIT =
            Pattern.compile("[^\\n]*\n(\\d{1,3})\n(.*)", Pattern.DOTALL);
    private static final Pattern STOP = Pattern.compile("(\\d{1,18}) (\\d{1,18})\n");

    /** Tells the tasks of an attempt apart, as an index follows the last dash. */
    static String name(TaskId task) {
        return task.role() + "-" + task.index();
    }

    public boolean isNever() {
        return Files.exists(never());
    }

    public void setNever() throws IOException {
        createFolder();
        OwnerOnly.write(never(), "");
    }

    private Path never() {
        return folder.resolve(number + ".never");
    }

    public void createFolder() throws IOException {
        OwnerOnly.makeFolder(folder);
    }

    /** The path of a task's files without their suffix. */
    public Path path(TaskId task) {
        return folder.resolve(number + "." + name(task));
    }

    public Path log(TaskId task) {
        return folder.resolve(number + "." + name(task) + ".log");
    }

    /** The named pipe of a task that asked for a standard input. */
    public Path input(TaskId task) {
        return folder.resolve(number + "." + name(task) + ".input");
    }

    /** The program that runs the task as a container; there is none for a plain process. */
    public Path containerProgram(TaskId task) {
        return folder.resolve(number + "." + name(task) + ".container");
    }

    /** The container's id, once there is one. */
    public Path containerId(TaskId task) {
        return folder.resolve(number + "." + name(task) + ".cid");
    }

    /** The container's variables. */
    public Path containerVariables(TaskId task) {
        return folder.resolve(number + "." + name(task) + ".env");
    }

    /** The folder of the login to the registry of the container's image. */
    Path containerLogin(TaskId task) {
        return folder.resolve(number + "." + name(task) + ".login");
    }

    /** Only the server's own account can open the folder, so its file is safe while it is made. */
    public Path writeLogin(TaskId task, ImageLogin login) throws IOException {
        Path own = containerLogin(task);
        OwnerOnly.makeFolder(own);
        OwnerOnly.replace(own.resolve(ContainerRun.LOGIN_FILE), login.file());
        return own;
    }

    private static void deleteTree(Path own) throws IOException {
        if (!Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) return;
        try (Stream<Path> files = Files.walk(own)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList())
                Files.deleteIfExists(file);
        }
    }

    /** The folder of the task alone, or a link to it. */
    private Path taskFolder(TaskId task) {
        return folder.resolve(number + "." + name(task) + ".folder");
    }

    /**
     * Another account cannot enter ours, so its folder is where only root makes any; a link that is
     * there before remembers it.
     */
    public Path makeFolder(TaskId task, Optional<Accounts.Account> other) throws IOException {
        Path own = taskFolder(task);
        if (other.isEmpty()) return makePrivate(own);
        if (!Files.isSymbolicLink(own)) {
            Path name = Path.of(folder.getFileName() + "-" + number + "-" + name(task));
            Files.createSymbolicLink(own, FOR_OTHERS.resolve(name));
        }
        Path target = Files.readSymbolicLink(own);
        if (!Files.isDirectory(FOR_OTHERS)) {
            Files.createDirectory(FOR_OTHERS);
            // Whatever the umask is: others may pass and nothing else.
            Files.setPosixFilePermissions(FOR_OTHERS, PASSABLE);
        }
        Files.setAttribute(makePrivate(target), "unix:uid", other.get().uid());
        return target;
    }

    private static Path makePrivate(Path own) throws IOException {
        if (Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) return own;
        return Files.createDirectory(
                own,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private void deleteFolder(TaskId task) throws IOException {
        Path own = taskFolder(task);
        if (!Files.isSymbolicLink(own)) {
            deleteTree(own);
            return;
        }
        deleteTree(Files.readSymbolicLink(own));
        Files.delete(own);
    }

    /** For an ended task: what it had besides its log and its exit. */
    void deletePassing(TaskId task) throws IOException {
        Files.deleteIfExists(input(task));
        Files.deleteIfExists(containerVariables(task));
        Files.deleteIfExists(containerId(task));
        Files.deleteIfExists(containerProgram(task));
        // With whatever docker has put there besides.
        deleteTree(containerLogin(task));
        deleteFolder(task);
    }

    Claim claim(TaskId task) throws IOException {
        var text = read(task);
        if (text.isEmpty()) return new Claim.Nobody();
        int end = text.get().indexOf('\n');
        if (end < 0) return new Claim.Unwritten();
        String holder = text.get().substring(0, end);
        return holder.equals(NEVER) ? new Claim.Never() : new Claim.By(Integer.parseInt(holder));
    }

    /** Keeps every shim from ever running the task; false when one already has it. */
    public boolean claimForNobody(TaskId task) throws IOException {
        try {
            OwnerOnly.write(file(task), NEVER + "\n", StandardOpenOption.CREATE_NEW);
            return true;
        } catch (FileAlreadyExistsException _) {
            return false;
        }
    }

    /** Empty until the exit is written to its last byte. */
    Optional<Exit> exit(TaskId task) throws IOException {
        var text = read(task);
        if (text.isEmpty()) return Optional.empty();
        var match = EXIT.matcher(text.get());
        if (!match.matches()) return Optional.empty();
        Instant at = Files.getLastModifiedTime(file(task)).toInstant();
        int code = Integer.parseInt(match.group(1));
        String note = match.group(2).strip();
        boolean isMemory = note.equals(OUT_OF_MEMORY);
        return Optional.of(new Exit(OptionalInt.of(code), false, isMemory, note, at));
    }

    /** For an exit that no shim could report, or to add a note to one. */
    public void writeExit(TaskId task, int code, String note) throws IOException {
        String holder = read(task).flatMap(text -> text.lines().findFirst()).orElse(NEVER);
        OwnerOnly.replace(file(task), holder + "\n" + code + "\n" + note + "\n");
    }

    private Optional<String> read(TaskId task) throws IOException {
        try {
            return Optional.of(Files.readString(file(task)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    Optional<StopOrder> stopOrder() throws IOException {
        try {
            var match = STOP.matcher(Files.readString(folder.resolve(number + ".stop")));
            if (!match.matches()) return Optional.empty();
            return Optional.of(
                    new StopOrder(
                            Instant.ofEpochMilli(Long.parseLong(match.group(1))),
                            Duration.ofMillis(Long.parseLong(match.group(2)))));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    void writeStopOrder(StopOrder order) throws IOException {
        OwnerOnly.replace(
                folder.resolve(number + ".stop"),
                order.forceAt().toEpochMilli() + " " + order.grace().toMillis() + "\n");
    }

    private Path file(TaskId task) {
        return folder.resolve(number + "." + name(task) + ".task");
    }
}
