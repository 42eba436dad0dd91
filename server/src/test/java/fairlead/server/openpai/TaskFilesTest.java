package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiLaunch;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.engine.Engine;
import fairlead.engine.TaskLog;
import fairlead.engines.local.LocalEngine;
import fairlead.engines.local.LocalSettings;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Placement;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.server.launch.LaunchHooks;
import fairlead.testing.Eventually;
import fairlead.wire.Json;
import fairlead.wire.Specs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The keys of OpenPAI's jobs, as real tasks of this machine have them: while they run. */
final class TaskFilesTest {
    private static final TaskId TASK = new TaskId("main", 0);
    private static final int LOG_BYTES = 10_000;

    /** Says that the key is in the engine's folder, which is below that of the task. */
    private static final String LOOK =
            "case $FAIRLEAD_SSH_CONFIG in $PWD/local/*) ls ${FAIRLEAD_SSH_CONFIG%/*} | grep -x"
                    + " key;; esac; ";

    @TempDir Path home;
    private Engine engine;

    @BeforeEach
    void open() throws Exception {
        engine = opened();
    }

    private Engine opened() throws Exception {
        return LocalEngine.open(
                LocalSettings.at(home.resolve("local"))
                        .with(
                                new LaunchHooks(
                                        List.of(
                                                new PaiLaunch(
                                                        "file:/nowhere", new SshKeys("secret"))))));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Effect.Launch launch(String command) throws Exception {
        String json =
                """
                {"jobName": "train", "image": "none", "taskRoles": [{"name": "main",
                 "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0, "command": %s}]}
                """
                        .formatted(new String(Json.writeBytes(command), UTF_8));
        var spec =
                Specs.read(
                        PaiSpec.of(JobFile.ofRequest(json), "ann"),
                        new Specs.Defaults("ann", "default", home.toString(), false, "local"));
        var id = new JobId("train_1_00000001");
        var job = Job.submitted(id, spec, "ann", Instant.now(), Optional.empty(), Optional.empty());
        var place = new TaskPlacement(TASK, "here", List.of());
        return new Effect.Launch(
                job, new Attempt(new AttemptId(id, 1), new Placement(List.of(place))));
    }

    private Optional<Exit> exit(Effect.Launch launch) throws Exception {
        return engine.observe().stream()
                .filter(seen -> seen.attempt().equals(launch.attempt()))
                .flatMap(seen -> seen.exits().values().stream())
                .findFirst();
    }

    private String log(Effect.Launch launch) throws Exception {
        TaskLog log = engine.log(launch.attempt(), TASK);
        return new String(log.read(log.start(), LOG_BYTES), UTF_8);
    }

    private void assertNoKeyIsLeft() throws Exception {
        try (var files = Files.walk(home)) {
            for (Path file : files.toList()) {
                assertFalse(file.toString().endsWith(".folder"), file.toString());
                if (!Files.isRegularFile(file)) continue;
                assertFalse(
                        Files.readString(file, ISO_8859_1).contains("PRIVATE KEY"),
                        file.toString());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, 0",
        "exec true, 0",
        "trap 'exit 3' EXIT, 3",
        "kill -9 $$, 137",
        "set -e; false, 1",
        "set -e; exit 205, 205"
    })
    void o79NoKeyIsLeftHoweverATaskEnds(String command, int code) throws Exception {
        var launch = launch(LOOK + command);
        engine.launch(launch);
        Eventually.when("the task has ended", () -> exit(launch).isPresent());
        // The shell around the command tells of one that was killed.
        String log = log(launch).replaceFirst("(?m)^.*Killed.*\n", "");
        assertEquals("key\n", log, "the log is the command's own");
        assertEquals(code, exit(launch).orElseThrow().code().orElseThrow());
        assertNoKeyIsLeft();
    }

    @Test
    void o79NorWhereTheTaskIsKilledOrTheServerWasAway() throws Exception {
        var launch = launch(LOOK + "sleep 300");
        engine.launch(launch);
        Eventually.when("the key is there", () -> log(launch).equals("key\n"));
        engine.close();
        engine = opened();
        engine.stop(launch.attempt(), Duration.ZERO);
        Eventually.when("the task has ended", () -> exit(launch).isPresent());
        assertNoKeyIsLeft();
    }
}
