package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** A personal server's life: it starts by itself, goes and comes back, and loses nothing. */
class ServerTest {
    @TempDir Path folder;
    private Installation fairlead;

    @BeforeEach
    void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"));
    }

    @AfterEach
    void stop() {
        fairlead.close();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void aJobAndWhoeverFollowsItOutliveTheServer() throws Exception {
        Path log = folder.resolve("followed");
        String slow =
                "i=0; until [ -e %s ]; do i=$((i + 1)); echo $i; sleep 0.05; done; echo end $i; exit 7"
                        .formatted(folder.resolve("go"));
        Process run = fairlead.start(log, "-n", "0", "run", "--name", "slow", slow);
        Eventually.when("a few lines", () -> lines(log).size() > 3);
        assertEquals("stopped; running jobs go on\n", fairlead.run("server", "stop").out());
        assertEquals(3, fairlead.run("server", "status").code());
        assertTrue(
                fairlead.run("server", "start")
                        .expect(0)
                        .out()
                        .startsWith("started at http://127.0.0.1:"));
        fairlead.killServer();
        fairlead.run("server", "start").expect(0);
        int before = lines(log).size();
        Eventually.when("more lines", () -> lines(log).size() > before);
        write("go", "");
        assertEquals(7, run.waitFor());
        List<String> told =
                lines(log).stream().filter(line -> !line.startsWith("fairlead: ")).toList();
        for (int i = 1; i < told.size(); i++) assertEquals(Integer.toString(i), told.get(i - 1));
        assertEquals("end " + (told.size() - 1), told.getLast());
        var job = new Caller(fairlead).get("/v1/jobs?limit=1");
        assertEquals("7", job.field("exitCode"));
        assertEquals("1", job.field("attempts"));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException _) {
            return List.of();
        }
    }

    @Test
    void aServerThatACommandStartsAfterACrashIsAsItWas() throws IOException {
        fairlead.run("server", "start").expect(0);
        int port = URI.create(fairlead.server().url()).getPort();
        fairlead.run("server", "stop").expect(0);
        fairlead.run("server", "start", "--gpus", "3", "--port", "" + port).expect(0);
        long first = fairlead.server().pid();
        fairlead.killServer();
        assertTrue(fairlead.run("nodes").expect(0).out().contains("3 of 3"));
        assertNotEquals(first, fairlead.server().pid());
        assertEquals("http://127.0.0.1:" + port, fairlead.server().url());
    }

    @Test
    void aBackupMadeWhileRunningIsAJournalOfItsOwn() throws IOException {
        String id = fairlead.submit("-n0", "submit", "--name", "kept", "echo hi; exit 3");
        fairlead.run("wait", id).expect(1);
        fairlead.submit("-n0", "submit", "sleep 600");
        Path copy = Files.createDirectories(folder.resolve("copy")).resolve("journal.db");
        var saved = fairlead.run(folder, Map.of(), "server", "backup", "copy/journal.db");
        assertEquals("saved to " + copy + "\n", saved.expect(0).out());
        var again = fairlead.run("server", "backup", copy.toString()).expect(4);
        assertTrue(again.err().contains("exists already"), again.err());
        try (var restored = new Installation(copy.getParent())) {
            String described = restored.run("describe", id).expect(0).out();
            assertTrue(described.contains("\nState      failed (3): exit code 3\n"), described);
        }
    }

    @Test
    void aLostJournalIsToldByWhicheverCommandComesNext() throws IOException {
        String id = fairlead.submit("-n0", "submit", "--name", "kept", "exit 3");
        fairlead.run("wait", id).expect(1);
        Path copy = folder.resolve("copy.db");
        fairlead.run("server", "backup", copy.toString()).expect(0);
        fairlead.run("server", "stop").expect(0);
        Path journal = fairlead.home().resolve("journal.db");
        Files.delete(journal);
        for (var words : List.of(List.of("list"), List.of("server", "start"))) {
            String told = fairlead.run(words.toArray(String[]::new)).expect(4).err();
            assertTrue(told.contains("the journal " + journal + " is missing"), told);
            assertTrue(told.contains("'fairlead server backup'"), told);
            assertTrue(told.contains("fairlead server start --new-journal"), told);
        }
        Files.copy(copy, journal);
        assertTrue(fairlead.run("describe", id).expect(0).out().contains("failed (3)"));
        fairlead.run("server", "stop").expect(0);
        Files.write(journal, new byte[0]);
        fairlead.run("list").expect(4);
        fairlead.run("server", "start", "--new-journal").expect(0);
        assertFalse(fairlead.run("list", "--all").expect(0).out().contains("kept"));
    }

    @Test
    void theHomeIsPrivateAndTheTokenIsNeeded() throws IOException {
        fairlead.run("list").expect(0);
        for (String file : List.of("", "token", "server.json", "journal.db")) {
            var mode = Files.getPosixFilePermissions(fairlead.home().resolve(file));
            assertTrue(PosixFilePermissions.toString(mode).endsWith("------"), file + " " + mode);
        }
        String url = fairlead.server().url().toString();
        var wrong = Map.of("FAIRLEAD_SERVER", url, "FAIRLEAD_TOKEN", "wrong");
        var refused = fairlead.run(folder, wrong, "list").expect(4);
        assertTrue(refused.err().startsWith("fairlead: the token is wrong\n"), refused.err());
        var missing = fairlead.run(folder, Map.of("FAIRLEAD_SERVER", url), "list").expect(4);
        assertTrue(missing.err().startsWith("fairlead: no token"), missing.err());
        String token = fairlead.server().token();
        var right = Map.of("FAIRLEAD_SERVER", url, "FAIRLEAD_TOKEN", token);
        fairlead.run(folder, right, "list").expect(0);
        fairlead.run("server", "stop").expect(0);
        var nobody = fairlead.run(folder, right, "list").expect(3);
        assertTrue(nobody.err().startsWith("fairlead: no server answers at " + url), nobody.err());
    }

    /**
     * Goal: what a server makes does not follow the umask, and what a job makes does. Method: all
     * that is in the home after jobs of each kind, of a server that was started with umask 0.
     */
    @Test
    void theUmaskIsForJobsAlone() throws Exception {
        Path made = folder.resolve("made");
        assertEquals(0, fairlead.type("umask 0; fairlead server start --gpus 1").code());
        fairlead.run("-n0", "run", "mkdir " + made).expect(0);
        assertEquals("rwxrwxrwx", mode(made));
        var caller = new Caller(fairlead);
        String own = "{\"jobs\":[{\"name\":\"own\",\"command\":\"sleep 600\"}]}";
        String id = caller.call("POST", "/v1/jobs", own).orElseThrow().id();
        Path folders = fairlead.home().resolve("folders");
        Eventually.when("its folder", () -> Files.exists(folders.resolve(id)));
        fairlead.run("abort", id).expect(0);
        String pai =
                """
                {"jobName":"pai","image":"i","codeDir":"$PAI_DEFAULT_FS_URI/none",
                 "taskRoles":[{"name":"t","taskNumber":1,"cpuNumber":1,"memoryMB":100,
                               "gpuNumber":0,"command":"true"}]}\
                """;
        assertEquals(202, caller.call("POST", "/api/v1/jobs", pai).orElseThrow().status());
        fairlead.run("wait", "pai").expect(1);
        try (var files = Files.walk(fairlead.home())) {
            for (Path file : files.toList())
                assertTrue(mode(file).endsWith("------"), file + " " + mode(file));
        }
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(
                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aSecondServerOnTheSameHomeOrPortIsRefused() throws Exception {
        fairlead.run("server", "start").expect(0);
        var first = fairlead.server();
        var second = fairlead.bareServer().expect(4);
        assertEquals(
                "fairlead server: another server already runs on %s (process %d, %s)\n"
                        .formatted(fairlead.home(), first.pid(), first.url()),
                second.err());
        String port = Integer.toString(URI.create(first.url().toString()).getPort());
        var other = new Installation(folder.resolve("other"));
        var taken = other.run("server", "start", "--port", port).expect(4);
        assertTrue(taken.err().contains("cannot listen on 127.0.0.1:" + port), taken.err());
        assertTrue(
                taken.err().contains("fairlead: the personal server did not start: cannot"),
                taken.err());
        assertTrue(fairlead.run("list").expect(0).err().isEmpty());
        other.run("server", "start", "--policy", "unfair").expect(2);
    }

    @Test
    void withoutGpusAJobGetsNoneAndOneThatWantsSomeIsRefused() {
        fairlead.run("server", "start", "--gpus", "0").expect(0);
        assertEquals("0\n", fairlead.run("run", "echo $FAIRLEAD_NUM_GPUS").expect(0).out());
        var asked = fairlead.run("-n", "1", "submit", "true").expect(2);
        assertTrue(
                asked.err()
                        .startsWith(
                                "fairlead: the job can never start on this cluster: needs 1 GPU"),
                asked.err());
    }

    @Test
    void aServerThatAJobStartsOutlivesTheJob() throws IOException {
        Path inner = folder.resolve("inner");
        String start =
                "FAIRLEAD_HOME='%s' '%s/fairlead' server start"
                        .formatted(inner, Installation.root());
        try (var other = new Installation(inner)) {
            String out = fairlead.run("-n0", "run", start).expect(0).out();
            assertTrue(out.contains("started at "), out);
            other.run("server", "status").expect(0);
            assertEquals("hi\n", other.run("-n0", "run", "echo hi").expect(0).out());
        }
    }

    @Test
    void aJobThatIsToldTheHomeFindsTheServerThatRunsIt() {
        String list = "'" + Installation.root() + "/fairlead' list --state running";
        String home = "FAIRLEAD_HOME=" + fairlead.home();
        String out =
                fairlead.run("-n0", "run", "--name", "inside", "-e", home, list).expect(0).out();
        assertTrue(out.contains("\ninside_"), out);
    }

    @Test
    void aRequestThatIsRepeatedMakesOneJob() {
        fairlead.run("server", "start", "--gpus", "1").expect(0);
        var caller = new Caller(fairlead);
        var first = caller.submit("same", "true", 1).orElseThrow();
        var again = caller.submit("same", "true", 1).orElseThrow();
        assertEquals(201, first.status());
        assertEquals(200, again.status());
        assertEquals(first.id(), again.id());
        assertEquals(2, fairlead.run("list", "--all").expect(0).out().lines().count());
    }
}
