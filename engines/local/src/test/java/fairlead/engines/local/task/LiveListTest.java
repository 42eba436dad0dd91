package fairlead.engines.local.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.EngineException;
import fairlead.engines.local.CrashingServer;
import fairlead.job.AttemptId;
import fairlead.job.TaskId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The list of live attempts across crashes. */
class LiveListTest {
    private static final Manifest ONE =
            new Manifest(
                    new AttemptId(CrashingServer.job(1), 1),
                    List.of(new TaskId("main", 0)),
                    List.of());
    private static final Manifest GANG =
            new Manifest(
                    new AttemptId(CrashingServer.job(2), 7),
                    List.of(new TaskId("ps", 0), new TaskId("w-1.x~", 12)),
                    List.of(10_000, 10_001, 10_002));

    @TempDir Path folder;

    @Test
    void whatIsAddedAndNotRemovedIsThereAgain() throws Exception {
        try (var list = open()) {
            list.add(ONE);
            list.add(GANG);
            list.remove(ONE.attempt());
            list.remove(ONE.attempt());
        }
        try (var list = open()) {
            assertEquals(List.of(GANG), list.all());
        }
    }

    @Test
    void aLineCutShortByACrashCountsForNothing() throws Exception {
        try (var list = open()) {
            list.add(GANG);
        }
        Files.writeString(file(), "+ " + ONE.line(), StandardOpenOption.APPEND);
        try (var list = open()) {
            assertEquals(List.of(GANG), list.all());
            list.add(ONE);
        }
        try (var list = open()) {
            assertEquals(List.of(GANG, ONE), list.all());
        }
    }

    @Test
    void theFileStaysSmallHoweverManyJobsThereWere() throws Exception {
        try (var list = open()) {
            list.add(GANG);
            for (int i = 0; i < 100_000; i++) {
                list.add(ONE);
                list.remove(ONE.attempt());
            }
            assertTrue(Files.size(file()) < 5L << 20, Files.size(file()) + " bytes");
            assertEquals(List.of(GANG), list.all());
        }
        try (var list = open()) {
            assertEquals(List.of(GANG), list.all());
        }
        assertTrue(Files.size(file()) < 1_000);
    }

    @Test
    void aListOfANewerVersionIsRefused() throws Exception {
        Files.writeString(file(), "fairlead live 2\n");
        assertThrows(EngineException.class, this::open);
    }

    private LiveList open() throws Exception {
        return new LiveList(file());
    }

    private Path file() {
        return folder.resolve("live");
    }
}
