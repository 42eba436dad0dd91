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
import fairlead.testing.Root;
import fairlead.wire.Specs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The codeDir of OpenPAI's jobs, as real tasks of this machine find it. */
final class CodeFoldersTest {
    private static final TaskId TASK = new TaskId("main", 0);
    private static final int LOG_BYTES = 10_000;

    @TempDir Path home;
    private Path files;
    private Path work;
    private LaunchHooks hooks;
    private CodeFolders folders;
    private Engine engine;

    @BeforeEach
    void open() throws Exception {
        files = Files.createDirectory(home.resolve("files"));
        work = home.resolve("work");
        hooks = new LaunchHooks(List.of(new PaiLaunch("file:" + files, new SshKeys("secret"))));
        folders = new CodeFolders(work, hooks, new Storages(files));
        engine = LocalEngine.open(LocalSettings.at(home.resolve("local")).with(hooks));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private Effect.Launch launch(int number, String codeDir, String command) throws Exception {
        return launch("ann", number, codeDir, command);
    }

    private Effect.Launch launch(String user, int number, String codeDir, String command)
            throws Exception {
        String json =
                """
                {"jobName": "train", "image": "none", "codeDir": "%s", "taskRoles": [{"name": "main",
                 "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0, "command": "%s"}]}
                """
                        .formatted(codeDir, command);
        JobSpec spec =
                Specs.read(
                        PaiSpec.of(JobFile.ofRequest(json), user),
                        new Specs.Defaults("ann", "default", home.toString(), false, "local"));
        var id = new JobId("train_1_0000000" + number);
        var job = Job.submitted(id, spec, "ann", Instant.now(), Optional.empty(), Optional.empty());
        var place = new TaskPlacement(TASK, "here", List.of());
        return new Effect.Launch(
                job, new Attempt(new AttemptId(id, 1), new Placement(List.of(place))));
    }

    /** The exit code and all that the task has written. */
    private String ran(Effect.Launch launch) throws Exception {
        engine.launch(folders.prepare(launch));
        Eventually.when("the task has ended", () -> exit(launch).isPresent());
        TaskLog log = engine.log(launch.attempt(), TASK);
        String said = new String(log.read(log.start(), LOG_BYTES), UTF_8);
        return exit(launch).orElseThrow().code().orElseThrow() + " " + said;
    }

    private Optional<Exit> exit(Effect.Launch launch) throws Exception {
        return engine.observe().stream()
                .filter(seen -> seen.attempt().equals(launch.attempt()))
                .flatMap(seen -> seen.exits().values().stream())
                .findFirst();
    }

    private void put(String name, String text) throws IOException {
        Path file = files.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void o21TheCodeIsAFolderOfItsLastNameWhereTheTaskBegins() throws Exception {
        put("ann/train/code/main.sh", "echo $PAI_CODE_DIR");
        put("ann/train/code/data/a b", "deep");
        var launch =
                launch(
                        1,
                        "$PAI_DEFAULT_FS_URI/$PAI_USER_NAME/$PAI_JOB_NAME/code/",
                        "sh code/main.sh && cat 'code/data/a b' && echo && echo $PAI_WORK_DIR &&"
                                + " pwd");
        Path folder = work.resolve("train_1_00000001/1");
        assertEquals(
                "0 file:%s/ann/train/code/\ndeep\n%s\n%s\n".formatted(files, folder, folder),
                ran(launch));
        engine.forget(launch.attempt());
        folders.clear(launch.attempt());
        assertFalse(Files.exists(folder));
        folders.clear(launch.attempt().job());
        assertFalse(Files.exists(folder.getParent()));
    }

    /** The server's home is closed to all other accounts, so their code is brought elsewhere. */
    @Test
    void aTaskOfAnotherAccountCanEnterTheFolderOfItsCode() throws Exception {
        Root.neededToMount();
        put("code/main.sh", "cat code/main.sh >copy && stat -c '%U %a' . code && pwd");
        var plain = launch(9, "$PAI_DEFAULT_FS_URI/code", "sh code/main.sh");
        var launch =
                plain.asking(plain.job().spec().with(edit -> edit.user = Optional.of("nobody")));
        Path folder = Path.of("/var/lib/fairlead/work", launch.attempt().job().text(), "1");
        assertEquals("0 nobody 700\nnobody 755\n" + folder + "\n", ran(launch));
        assertEquals(
                folder.toString(),
                folders.entered(launch.attempt(), launch.job().spec()).workingFolder());
        engine.forget(launch.attempt());
        folders.clear(launch.attempt());
        assertFalse(Files.exists(folder));
        folders.clear(launch.attempt().job());
        assertFalse(Files.exists(folder.getParent()));
    }

    @Test
    void aRepeatedLaunchLeavesWhatTheTasksHaveChanged() throws Exception {
        put("code/main.sh", "old");
        var launch = launch(2, "$PAI_DEFAULT_FS_URI/code", "true");
        String folder = folders.prepare(launch).job().spec().workingFolder();
        Files.writeString(Path.of(folder, "code/main.sh"), "changed");
        put("code/main.sh", "new");
        assertEquals(folder, folders.prepare(launch).job().spec().workingFolder());
        assertEquals("changed", Files.readString(Path.of(folder, "code/main.sh")));
    }

    @Test
    void aJobWithoutCodeBeginsWhereItsSpecSays() throws Exception {
        var launch = launch(3, "", "true");
        assertEquals(launch, folders.prepare(launch));
        assertFalse(Files.exists(work));
    }

    /** A job that was sent without a user's name is still somebody's. */
    @Test
    void o18TheOwnerOfALegacyJobIsItsUser() throws Exception {
        put("ann/code/main.sh", "echo $PAI_USER_NAME");
        String codeDir = "$PAI_DEFAULT_FS_URI/$PAI_USER_NAME/code";
        assertEquals("0 ann\n", ran(launch("", 1, codeDir, "sh code/main.sh")));
    }

    @Test
    void o20CodeThatIsEmptyEndsTheTaskWithOneAndAMessage() throws Exception {
        Files.createDirectories(files.resolve("code/inner"));
        assertEquals(
                "1 codeDir: file:" + files + "/code is empty, exit.\n",
                ran(launch(4, "$PAI_DEFAULT_FS_URI/code", "echo ran")));
    }

    @Test
    void o20CodeOfMoreThanTheLimitEndsTheTaskWithOneAndAMessage() throws Exception {
        put("code/main.sh", "echo fits");
        try (var large = new RandomAccessFile(files.resolve("code/large").toFile(), "rw")) {
            large.setLength(200_000_000 - "echo fits".length());
            assertEquals("0 fits\n", ran(launch(5, "$PAI_DEFAULT_FS_URI/code", "sh code/main.sh")));
            large.setLength(200_000_000);
        }
        assertEquals(
                "1 codeDir: file:" + files + "/code is larger than 200MB, exit.\n",
                ran(launch(6, "$PAI_DEFAULT_FS_URI/code", "echo ran")));
    }

    @Test
    void codeThatCannotBeHadEndsTheTaskWithOneAndAMessage() throws Exception {
        put("file", "no folder");
        Files.createSymbolicLink(files.resolve("etc"), Path.of("/etc"));
        assertRefused(1, "$PAI_DEFAULT_FS_URI/none", "there is no file:" + files + "/none");
        assertRefused(2, "$PAI_DEFAULT_FS_URI/file", "file:" + files + "/file is no folder");
        assertRefused(3, "$PAI_DEFAULT_FS_URI/etc", "file:" + files + "/etc is no folder");
        assertRefused(4, "file:/etc", "file:/etc is outside of file:" + files);
        assertRefused(5, "$PAI_DEFAULT_FS_URI/../local", "'..' is no name of a file");
        assertRefused(6, "code", "not an address");
        assertRefused(8, "$PAI_DEFAULT_FS_URI/../..", "1 codeDir: does not name a folder: '");
        assertRefused(7, "s3://bucket/code", "no storage for s3: addresses");
    }

    private void assertRefused(int number, String codeDir, String words) throws Exception {
        String said = ran(launch(number, codeDir, "echo ran"));
        assertTrue(said.startsWith("1 codeDir: "), said);
        assertTrue(said.contains(words), said);
        assertFalse(said.contains("ran"), said);
    }

    @Test
    void anAddressThatCannotEverBeOpenedIsRefusedAtTheSubmit() throws Exception {
        assertEquals(
                Optional.of(
                        "codeDir: this server has no storage for http: addresses, only for file:"),
                folders.refuses(launch(1, "http://x/y", "true").job().spec()));
        for (String later : List.of("", "/code", "$PAI_DEFAULT_FS_URI/none"))
            assertEquals(Optional.empty(), folders.refuses(launch(1, later, "true").job().spec()));
        assertEquals(
                Optional.of("codeDir: file:/etc is outside of file:" + files),
                folders.refuses(launch(1, "file:/etc", "true").job().spec()));
    }

    @Test
    void aClusterElsewhereRefusesCodeAndNothingElse() throws Exception {
        var elsewhere = new CodeElsewhere("lab", hooks);
        JobSpec without = launch(1, "", "true").job().spec();
        assertEquals(Optional.empty(), elsewhere.refuses(without));
        JobSpec with = launch(1, "$PAI_DEFAULT_FS_URI/code", "true").job().spec();
        String words = elsewhere.refuses(with).orElseThrow();
        assertTrue(words.contains("the cluster lab do not see the server's files"), words);
    }
}
