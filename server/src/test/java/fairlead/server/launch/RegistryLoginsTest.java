package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiLaunch;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.engine.Engine;
import fairlead.engine.TaskLog;
import fairlead.engines.local.LocalEngine;
import fairlead.engines.local.LocalSettings;
import fairlead.engines.local.container.ContainerSettings;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.server.openpai.SshKeys;
import fairlead.testing.Eventually;
import fairlead.wire.Specs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The authFile of OpenPAI's jobs, up to the program that runs containers: a stand-in, which shows
 * the login that it finds instead of fetching an image.
 */
final class RegistryLoginsTest {
    private static final TaskId TASK = new TaskId("main", 0);
    private static final int LOG_BYTES = 10_000;
    private static final String PROGRAM =
            """
            #!/bin/sh
            case $1 in --version) echo podman version 4.3.1; exit ;; info|ps) echo; exit ;; esac
            for word; do
                case $word in --authfile=*) cat "${word#--authfile=}"; exit ;; esac
            done
            echo no login
            """;

    @TempDir Path home;
    private Path files;
    private Engine engine;
    private RegistryLogins logins;

    private void open(String program) throws Exception {
        files = Files.createDirectory(home.resolve("files"));
        engine =
                LocalEngine.open(
                        LocalSettings.at(home.resolve("local"))
                                .withContainers(new ContainerSettings(program, false)));
        var storages = new Storages(files);
        var hooks = new LaunchHooks(List.of(new PaiLaunch("file:" + files, new SshKeys("secret"))));
        logins =
                new RegistryLogins(
                        engine,
                        hooks,
                        storages,
                        new CodeFolders(home.resolve("work"), hooks, storages));
    }

    private String standIn() throws Exception {
        Path program = home.resolve("podman");
        Files.writeString(program, PROGRAM);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program.toString();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Effect.Launch launch(String authFile) throws Exception {
        String json =
                """
                {"jobName": "train", "image": "lab/private", "authFile": "%s", "taskRoles": [
                 {"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100,
                  "gpuNumber": 0, "command": "echo ran"}]}
                """
                        .formatted(authFile);
        JobSpec spec =
                Specs.read(
                        PaiSpec.of(JobFile.ofRequest(json), "ann"),
                        new Specs.Defaults("ann", "default", home.toString(), false, "local"));
        var id = new JobId("train_1_00000001");
        var job = Job.submitted(id, spec, "ann", Instant.now(), Optional.empty(), Optional.empty());
        var place = new TaskPlacement(TASK, "here", List.of());
        return new Effect.Launch(
                job, new Attempt(new AttemptId(id, 1), new Placement(List.of(place))));
    }

    /** The exit code and all that the task has written. */
    private String ran(Effect.Launch launch) throws Exception {
        engine.launch(logins.prepare(launch));
        Eventually.when("the task has ended", () -> exit().isPresent());
        TaskLog log = engine.log(launch.attempt(), TASK);
        String said = new String(log.read(log.start(), LOG_BYTES), UTF_8);
        return exit().orElseThrow().code().orElseThrow() + " " + said;
    }

    private Optional<Exit> exit() throws Exception {
        return engine.observe().stream()
                .flatMap(seen -> seen.exits().values().stream())
                .findFirst();
    }

    @Test
    void o17TheImageIsFetchedWithTheLoginOfTheAuthFile() throws Exception {
        open(standIn());
        Files.createDirectories(files.resolve("ann"));
        Files.writeString(files.resolve("ann/train.auth"), "registry.lab:5000\nme\ns3cret\n");
        var launch = launch("$PAI_DEFAULT_FS_URI/$PAI_USER_NAME/$PAI_JOB_NAME.auth");
        String auth = Base64.getEncoder().encodeToString("me:s3cret".getBytes(UTF_8));
        assertEquals(
                "0 {\"auths\":{\"registry.lab:5000\":{\"auth\":\"" + auth + "\"}}}\n", ran(launch));
        assertFalse(
                logins.prepare(launch).job().toString().contains("s3cret"), "no part of the job");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none         | none",
                "two          | authFile: it must have three lines, registry, user and password",
                "swapped      | authFile: its first line must be a registry",
                "../other     | is no name of a file",
            })
    void o17AnAuthFileThatCannotBeReadEndsTheTaskWithOneAndAMessage(String name, String words)
            throws Exception {
        open(standIn());
        Files.writeString(files.resolve("two"), "registry.lab\nme\n");
        Files.writeString(files.resolve("swapped"), "s3cret!\nme\nregistry.lab\n");
        String said = ran(launch("$PAI_DEFAULT_FS_URI/" + name));
        assertTrue(said.startsWith("1 authFile: "), said);
        assertTrue(said.contains(words), said);
        assertFalse(
                said.contains("s3cret") || said.contains("login") || said.contains("ran"), said);
    }

    @Test
    void o17WhereNoImageIsUsedTheFileIsLeftAlone() throws Exception {
        open(ContainerSettings.NONE);
        assertEquals("0 ran\n", ran(launch("$PAI_DEFAULT_FS_URI/none")));
    }
}
