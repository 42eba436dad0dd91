package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.client.ServerFile;
import fairlead.cli.server.ServerProgram;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** A server that commands start by themselves, as a process of its own. */
@Tag("slow")
@Timeout(120)
class PersonalServerTest {
    private static final String STARTS = "; 'fairlead server start' starts one\n";

    @TempDir Path folder;
    private Path home;
    private Shell shell;

    @BeforeEach
    void prepare() {
        home = folder.resolve("a home");
        shell = shell();
    }

    @AfterEach
    void stop() {
        shell.type("server", "stop");
    }

    private Shell shell() {
        var made = new Shell();
        made.environment.put("FAIRLEAD_HOME", home.toString());
        made.program =
                new ServerProgram(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "fairlead.cli.FakeServerMain"));
        return made;
    }

    private long started() throws IOException {
        try (var files = Files.list(home)) {
            return files.filter(file -> file.getFileName().toString().startsWith("started-"))
                    .count();
        }
    }

    @Test
    void theFirstCommandStartsOneAndTheNextUsesIt() throws IOException {
        assertEquals(0, shell.type("submit", "echo hi").code());
        assertEquals(2, shell.type("list").out().lines().count());
        assertEquals(1, started());
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(home)));
        String login = shell.type("runai", "login").out();
        assertTrue(login.startsWith("No login is needed: you use your own server http"), login);
        var again = shell.type("server", "start", "--gpus", "4");
        assertEquals(0, again.code());
        assertTrue(again.out().startsWith("already running at http://127.0.0.1:"), again.out());
        assertTrue(
                again.out()
                        .endsWith(
                                "\nthe options were not applied; to change them: 'fairlead server"
                                        + " stop', then start again\n"));
        var forget = shell.type("server", "start", "--forget");
        assertTrue(
                forget.out()
                        .contains(
                                "\nthe flags of the last start were not forgotten; to change them:"
                                        + " 'fairlead server stop', then"),
                forget.out());
    }

    /** Goal: commands at once agree on one server. Method: four of them on an empty home. */
    @Test
    void commandsAtOnceEndWithOneServer()
            throws IOException, InterruptedException, ExecutionException {
        var calls = new ArrayList<Callable<Shell.Result>>();
        for (int i = 0; i < 4; i++) calls.add(() -> inItsOwnProcess());
        try (var threads = Executors.newFixedThreadPool(calls.size())) {
            for (var result : threads.invokeAll(calls)) {
                assertEquals(0, result.get().code(), result.get().err());
            }
        }
        assertEquals(1, started());
    }

    /** File locks hold between processes, so each command needs one of its own. */
    private Shell.Result inItsOwnProcess() throws IOException, InterruptedException {
        var builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "fairlead.cli.PersonalServerTest",
                        home.toString());
        Process process = builder.redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Shell.Result(process.waitFor(), "", out);
    }

    /** One command in a process of its own. */
    public static void main(String[] words) {
        var test = new PersonalServerTest();
        test.home = Path.of(words[0]);
        var result = test.shell().type("list");
        System.out.print(result.err());
        System.exit(result.code());
    }

    @Test
    void aServerThatDiedIsReplaced() throws IOException {
        shell.type("list");
        kill();
        assertEquals(3, shell.type("server", "status").code());
        assertEquals(0, shell.type("list").code());
        assertEquals(2, started());
    }

    private void kill() throws IOException {
        long pid = ServerFile.read(Files.readAllBytes(home.resolve("server.json"))).pid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        Eventually.when(() -> ProcessHandle.of(pid).isEmpty());
    }

    @Test
    void aServerThatStartsByItselfHasTheFlagsOfTheLastStart() throws IOException {
        shell.type("server", "start", "--gpus", "4", "--memory", "96M", "--new-journal");
        shell.type("server", "start", "--gpus", "8");
        kill();
        assertEquals(0, shell.type("list").code());
        assertEquals(List.of("--gpus", "4", "--memory", "96M"), flags());
        assertEquals(List.of("-Xmx100663296"), heapOptions());
        shell.type("server", "stop");
        assertEquals(2, shell.type("server", "start", "--policy", "unfair").code());
        shell.type("list");
        assertEquals(List.of("--gpus", "4", "--memory", "96M"), flags(), "that did not start");
    }

    @Test
    void aStartWithoutFlagsHasThoseOfTheLastUnlessToldToForgetThem() throws IOException {
        String kept = "as the last time";
        assertFalse(shell.type("server", "start").err().contains(kept), "there was none");
        shell.type("server", "stop");
        shell.type("server", "start", "--gpus", "4");
        kill();
        var again = shell.type("server", "start", "--new-journal");
        assertEquals(List.of("--gpus", "4", "--new-journal"), flags());
        shell.type("server", "stop");
        again = shell.type("server", "start");
        assertEquals(List.of("--gpus", "4"), flags());
        String words =
                "fairlead: with --gpus 4, as the last time ('fairlead server start --forget' drops"
                        + " that)\n";
        assertTrue(again.err().endsWith(words), again.err());
        shell.type("server", "stop");
        shell.type("server", "start", "--memory", "96M");
        assertEquals(List.of("--memory", "96M"), flags(), "others take their place");
        shell.type("server", "stop");
        assertFalse(shell.type("server", "start", "--forget").err().contains(kept));
        assertEquals(List.of(), flags());
        kill();
        shell.type("list");
        assertEquals(List.of(), flags());
    }

    @Test
    void flagsThatNoLongerWorkAreNamedWithWhoSaidThem() throws IOException {
        shell.type("server", "start");
        shell.type("server", "stop");
        Files.writeString(home.resolve("start.flags"), "--policy\ngone");
        var result = shell.type("list");
        assertEquals(2, result.code());
        assertTrue(
                result.err()
                        .endsWith(
                                """
                                the personal server did not start: there is no policy 'gone'
                                It was started with '--policy gone', as by the last 'fairlead server start'; one with other flags replaces them, and 'fairlead server start --forget' drops them.
                                """),
                result.err());
        assertEquals(2, shell.type("server", "start").code());
        assertEquals(0, shell.type("server", "start", "--forget").code());
    }

    /** The arguments of the running server after its home. */
    private List<String> flags() throws IOException {
        List<String> words = commandLine();
        return words.subList(words.indexOf("--home") + 2, words.size());
    }

    @Test
    void aServerThatIsStartingIsNotCalledAbsent() throws Exception {
        Files.createDirectories(
                home,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        String script =
                """
                import fcntl, os, sys
                lock = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
                fcntl.lockf(lock, fcntl.LOCK_EX)
                print("locked", flush=True)
                sys.stdin.read()
                """;
        Path starting = home.resolve("start.lock");
        Process starter = new ProcessBuilder("python3", "-c", script, starting.toString()).start();
        try {
            assertEquals("locked", starter.inputReader().readLine());
            String words = "fairlead: a server for " + home + " is just being started; try again";
            absent(words + " soon\n");
            // The folder is the server's as soon as it has begun to read its journal.
            Path lock = home.resolve("server.lock");
            Process server =
                    new ProcessBuilder("sh", "-c", "exec 9>>\"$0\"; exec sleep 60", lock.toString())
                            .start();
            Eventually.when(() -> Files.exists(lock));
            Files.writeString(lock, "process %d, still starting\n".formatted(server.pid()));
            absent(
                    "fairlead: the server of %s (process %d) is still starting; try again soon\n"
                            .formatted(home, server.pid()));
            server.destroyForcibly().waitFor();
        } finally {
            starter.destroyForcibly().waitFor();
        }
        assertEquals(
                "fairlead: no server is running for " + home + STARTS,
                shell.type("server", "status").err());
    }

    private void absent(String words) {
        for (String action : List.of("status", "stop")) {
            var result = shell.type("server", action);
            assertEquals(words, result.err());
            assertEquals(3, result.code());
        }
    }

    @Test
    void aFileLeftByAnotherBootIsNoServer() throws IOException {
        Files.createDirectories(home);
        // Our own process is alive, but nothing of it listens there.
        Files.writeString(
                home.resolve("server.json"),
                "{\"url\":\"http://127.0.0.1:1\",\"token\":\"x\",\"pid\":%d}"
                        .formatted(ProcessHandle.current().pid()));
        assertEquals(0, shell.type("list").code());
        assertEquals(1, started());
    }

    /** A process that has ended stays listed until its parent asks for its code. */
    @Test
    void aServerThatHasEndedIsGoneBeforeItsParentHasLooked() throws IOException {
        Files.createDirectories(home);
        // It ends only when its parent is no shell any more: that would look at once.
        String orphan = "sh -c 'until grep -q sleep /proc/$PPID/comm; do :; done' & echo $!;";
        Process parent = new ProcessBuilder("sh", "-c", orphan + " exec sleep 60").start();
        try (var out = parent.inputReader()) {
            String pid = out.readLine();
            Path stat = Path.of("/proc", pid, "stat");
            Eventually.when(() -> text(stat).contains(") Z "));
            Files.writeString(
                    home.resolve("server.json"),
                    "{\"url\":\"http://127.0.0.1:1\",\"token\":\"x\",\"pid\":%s}".formatted(pid));
            var status = shell.type("server", "status");
            assertEquals(3, status.code());
            assertEquals(
                    "fairlead: the server of " + home + " is not running" + STARTS, status.err());
        } finally {
            parent.destroy();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void stopEndsTheProcess() throws IOException {
        shell.type("list");
        assertEquals("stopped; running jobs go on\n", shell.type("server", "stop").out());
        assertFalse(Files.exists(home.resolve("server.json")));
        var status = shell.type("server", "status");
        assertEquals(3, status.code());
        assertEquals("fairlead: no server is running for " + home + STARTS, status.err());
        assertEquals("not running\n", shell.type("server", "stop").out());
    }

    @Test
    void aServerThatDoesNotStartShowsWhatItSaid() {
        var result = shell.type("server", "start", "--policy", "unfair");
        assertEquals(2, result.code());
        // Before it, a start that takes more than a second has a line of its own.
        String words = "the personal server did not start: there is no policy 'unfair'\n";
        assertTrue(result.err().endsWith("fairlead: " + words), result.err());
        assertEquals(
                "fairlead server: there is no policy 'unfair'\n",
                shell.type("server", "logs").out());
    }

    /** As after a bug: the process has the folder, and nobody listens. */
    @Test
    void startStatusAndStopAgreeOnAServerThatDoesNotAnswer() throws Exception {
        Files.createDirectories(
                home,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path lock = home.resolve("server.lock");
        Process holder =
                new ProcessBuilder("sh", "-c", "exec 9>>\"$0\"; exec sleep 60", lock.toString())
                        .start();
        try {
            Files.writeString(lock, "process %d, http://127.0.0.1:1\n".formatted(holder.pid()));
            // While it becomes another program, nobody can see which files it has open.
            Eventually.when(() -> holder.info().command().orElse("").endsWith("sleep"));
            Eventually.when(() -> shell.type("server", "status").err().contains("kill"));
            String words =
                    "fairlead: the server of %s (process %d) runs but does not answer; if it does not soon, end it with 'kill %d', or with 'kill -9 %d', and start it again: running jobs go on\n"
                            .formatted(home, holder.pid(), holder.pid(), holder.pid());
            var status = shell.type("server", "status");
            assertEquals(words, status.err());
            assertEquals(3, status.code());
            var stop = shell.type("server", "stop");
            assertEquals(words, stop.err());
            assertEquals(3, stop.code());
            var start = shell.type("server", "start");
            assertEquals(words, start.err());
            assertEquals(4, start.code());
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertEquals(0, shell.type("list").code(), "and once it is gone, a command starts another");
    }

    @Test
    void theHeapIsAsAFlagOrTheSettingsSay() throws IOException {
        Files.createDirectories(home);
        Files.writeString(home.resolve("settings"), "# for many jobs\nmemory = 96M\n");
        shell.type("list");
        assertEquals(List.of("-Xmx100663296"), heapOptions());
        shell.type("server", "stop");
        shell.type("server", "start", "--memory", "1G");
        assertEquals(List.of("-Xmx1073741824"), heapOptions());
        shell.type("server", "stop");
        shell.type("server", "start", "--memory", "much");
        assertEquals(List.of(), heapOptions(), "the server says what is wrong with that");
    }

    private List<String> heapOptions() throws IOException {
        return commandLine().stream().filter(word -> word.startsWith("-Xmx")).toList();
    }

    /** Of the server that runs. */
    private List<String> commandLine() throws IOException {
        long pid = ServerFile.read(Files.readAllBytes(home.resolve("server.json"))).pid();
        return List.of(
                Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")).split("\0"));
    }

    @Test
    void anOptionThatIsNoNumberIsToldBeforeAnythingStarts() {
        assertEquals(2, shell.type("server", "start", "--gpus", "many").code());
        assertFalse(Files.exists(home));
    }

    @Test
    void aHomeThatCannotBeMadeIsTold() throws IOException {
        Files.writeString(home, "a file");
        var result = shell.type("list");
        assertEquals(3, result.code());
        assertTrue(result.err().startsWith("fairlead: a server cannot be started in " + home));
    }

    @Test
    void aHomeThatCannotBeMadeSaysTheReason() {
        // Where nobody makes folders, also not root; Java tells no more than the path.
        shell.environment.put("FAIRLEAD_HOME", "/proc/fairlead");
        var result = shell.type("list");
        assertEquals(3, result.code());
        assertEquals(
                "fairlead: a server cannot be started in /proc/fairlead: NoSuchFileException:"
                        + " /proc/fairlead\n",
                result.err());
    }
}
