package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Placement;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.wire.Json;
import fairlead.wire.Specs;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Folders of jobs that have named none. */
class OwnFoldersTest {
    private static final JobId JOB = new JobId("train_1_00000001");

    @TempDir Path home;
    private OwnFolders folders;

    @BeforeEach
    void open() {
        folders = new OwnFolders(OwnFolders.in(home));
    }

    private Effect.Launch launch(String workingFolder, int number) {
        var body = Json.read(SpecBody.class, "{\"command\":[\"true\"]}");
        var spec =
                Specs.read(
                        body, new Specs.Defaults("ann", "default", workingFolder, false, "local"));
        var job =
                Job.submitted(JOB, spec, "ann", Instant.now(), Optional.empty(), Optional.empty());
        var place = new TaskPlacement(new TaskId("main", 0), "here", List.of());
        return new Effect.Launch(
                job, new Attempt(new AttemptId(JOB, number), new Placement(List.of(place))));
    }

    private Path laid(int number) throws Exception {
        var launch = launch(OwnFolders.in(home).toString(), number);
        return Path.of(folders.prepare(launch).job().spec().workingFolder());
    }

    @Test
    void aJobThatNamesNoFolderHasOneThatItsAttemptsShare() throws Exception {
        Path first = laid(1);
        assertEquals(OwnFolders.in(home).resolve(JOB.text()), first);
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(first)));
        Files.writeString(first.resolve("model"), "of epoch 3");
        folders.clear(new AttemptId(JOB, 1));
        assertEquals(first, laid(2));
        assertTrue(Files.exists(first.resolve("model")));
        assertEquals(
                first.toString(),
                folders.entered(
                                new AttemptId(JOB, 2),
                                launch(OwnFolders.in(home).toString(), 2).job().spec())
                        .workingFolder());
        folders.clear(JOB);
        assertFalse(Files.exists(first));
    }

    @Test
    void anEmptyOneGoesWithItsAttempt() throws Exception {
        Path own = laid(1);
        folders.clear(new AttemptId(JOB, 1));
        assertFalse(Files.exists(own));
        folders.clear(JOB);
    }

    @Test
    void aJobThatNamesAFolderBeginsThere() throws Exception {
        var launch = launch("/tmp", 1);
        assertEquals(launch, folders.prepare(launch));
        assertFalse(Files.exists(OwnFolders.in(home)));
    }
}
