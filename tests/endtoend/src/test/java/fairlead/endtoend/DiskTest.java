package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk that fills up, and one that cannot be written: clear errors, and no promise without a
 * record.
 */
class DiskTest {
    private static final int SUBMITS_MAX = 3_000;
    private static final String SIZE = "24m";

    @TempDir Path folder;

    @BeforeEach
    void mountASmallDisk() throws Exception {
        assumeTrue(mount("unshare", "--mount", "true"), "not root: this account may not mount");
        assertTrue(
                mount("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "fairlead", folder.toString()));
    }

    @AfterEach
    void unmount() throws Exception {
        boolean mounted = Files.readString(Path.of("/proc/mounts")).contains(" " + folder + " ");
        if (mounted) assertTrue(mount("umount", folder.toString()), "something is left in it");
    }

    @Test
    void aFullDiskRefusesClearlyAndWhatWasAcknowledgedIsStillThere() throws Exception {
        try (var installation = new Installation(folder.resolve("home"))) {
            installation.run("server", "start", "--gpus", "1").expect(0);
            var caller = new Caller(installation);
            caller.submit("blocker", "sleep 600", 1).orElseThrow();
            Eventually.when(
                    "the blocker to run",
                    () -> caller.get("/v1/jobs?state=running").body().contains("\"id\":"));
            fill(folder.resolve("filler"));
            var acknowledged = new ArrayList<String>();
            Caller.Reply refusal = null;
            for (int i = 0; i < SUBMITS_MAX && refusal == null; i++) {
                Caller.Reply reply =
                        caller.submit("r" + i, "true # " + "x".repeat(10_000), 1).orElseThrow();
                if (reply.status() == 201) acknowledged.add(reply.id());
                else refusal = reply;
            }
            assertNotNull(refusal, "the disk never filled");
            assertEquals(503, refusal.status(), refusal.body());
            assertTrue(refusal.body().contains("full"), refusal.body());
            var command = installation.run("submit", "true").expect(4);
            assertTrue(command.err().contains("full"), command.err());

            Files.delete(folder.resolve("filler"));
            Eventually.when(
                    "the journal to work again",
                    () -> caller.submit("after", "true", 1).orElseThrow().status() < 300);
            installation.killServer();
            installation.run("server", "start", "--gpus", "1").expect(0);
            String listed = caller.get("/v1/jobs?state=active&limit=10000").body();
            for (String id : acknowledged)
                assertTrue(listed.contains(id), id + " was acknowledged and is lost");
            assertEquals(
                    acknowledged.size() + 2,
                    listed.split("\"id\":").length - 1,
                    "nothing else is there");
        }
    }

    @Test
    void aJournalThatCannotBeWrittenKeepsTheServerFromStartingAndLosesNothing() throws Exception {
        var installation = new Installation(folder.resolve("home"));
        String id = installation.submit("submit", "true");
        installation.run("wait", id).expect(0);
        installation.run("server", "stop").expect(0);
        assertTrue(mount("mount", "-o", "remount,ro", folder.toString()), "remounting");
        var refused = installation.run("server", "start");
        assertTrue(refused.code() == 3 || refused.code() == 4, refused.toString());
        assertTrue(
                refused.err().toLowerCase(java.util.Locale.ROOT).contains("read-only"),
                refused.err());
        assertTrue(mount("mount", "-o", "remount,rw", folder.toString()), "remounting");
        assertTrue(installation.run("describe", id).expect(0).out().contains("succeeded"));
        installation.close();
    }

    private static void fill(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[4_096];
            for (int i = 0; i < 100_000; i++) out.write(block);
            throw new IllegalStateException("the disk is larger than it should be");
        } catch (IOException full) {
            assertTrue(full.getMessage().contains("No space left"), full.getMessage());
        }
    }

    private static boolean mount(String... command) throws Exception {
        List<String> line = List.of(command);
        return new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
