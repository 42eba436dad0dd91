package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the verbs of ACT that ask about jobs fetch and print; the items are those of ACT. */
class QueryTest {
    private static final String QUEUED = "train_1763179200_0000000a";
    private static final String RUNNING = "train_1763179200_0000000b";
    private static final String FAILED = "train_1763179200_0000000c";

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;
    private FakeJob failed;
    private FakeJob running;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        failed = server.add(new FakeJob(FAILED, "failed"));
        failed.log = "one\ntwo\nRuntimeError: CUDA out of memory. Tried\n";
        running = server.add(new FakeJob(RUNNING, "running"));
        running.log = "epoch 1\n";
        server.add(new FakeJob(QUEUED, "queued"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String output(String... words) {
        return shell.type(words).output();
    }

    private Path logs(String id) {
        return folder.resolve("assets").resolve(id).resolve("azureml-logs");
    }

    private long logRequests() {
        return server.requests.stream().filter(line -> line.contains("/logs?")).count();
    }

    /** A job of ACT with so many ranks on so many nodes. */
    private FakeJob ranks(String id, String state, int nodes, int processes) {
        var spec = FakeBodies.act("itp", nodes * processes, nodes, processes);
        return server.add(new FakeJob(id, state, spec));
    }

    @Test
    void a45QueryShowsTheEndOfTheLogTheFilesAndTheFacts() throws IOException {
        assertEquals(
                """
                one
                two
                RuntimeError: CUDA out of memory. Tried
                log files:
                ['%1$s/70_driver_log_rank_0.txt']
                {'appID': 'train_1763179200_0000000c',
                 'appID-s': '0000c',
                 'cluster': 'local',
                 'cmd': 'python3 train.py --lr 0.1',
                 'elapsedFinished': 0.33,
                 'elapsedTime': 0.5,
                 'end_time': '2025-11-15T04:40:00Z',
                 'master_log': '%1$s/70_driver_log_rank_0.txt',
                 'num_gpu': 1,
                 'portal_url': '%2$s/v1/jobs/train_1763179200_0000000c',
                 'result': 'OOM',
                 'start_time': '2025-11-15T04:30:00Z',
                 'status': 'Failed'}
                """
                        .formatted(logs(FAILED), server.url()),
                output("q", "000c"));
        assertEquals(
                failed.log, Files.readString(logs(FAILED).resolve("70_driver_log_rank_0.txt")));
    }

    @Test
    void a46OnlyWhatIsNewIsFetched() throws IOException {
        output("query", RUNNING);
        running.log = "epoch 1\nepoch 2\n";
        assertTrue(output("query", RUNNING).startsWith("epoch 1\nepoch 2\nlog files:\n"));
        assertTrue(server.requests.stream().anyMatch(line -> line.endsWith("&offset=8")));
        assertEquals(
                """
                status: Running
                is_full: false
                attempt: 1
                tasks:
                  main/0: {offset: 16, open: -2, files: {70_driver_log_rank_0.txt: 16}}
                """,
                Files.readString(folder.resolve("assets/" + RUNNING + "/log_status.yaml")));
    }

    @Test
    void a46NothingIsFetchedOfAJobThatIsHereInFull() {
        output("query", FAILED);
        long before = logRequests();
        assertTrue(output("query", FAILED).startsWith("one\ntwo\n"));
        assertEquals(before, logRequests());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lost", "longer", "no status"})
    void a46WhatACallLeftThatBrokeOffIsMadeGood(String damage) throws IOException {
        output("query", RUNNING);
        Path log = logs(RUNNING).resolve("70_driver_log_rank_0.txt");
        switch (damage) {
            case "lost" -> Files.delete(log);
            case "longer" -> Files.writeString(log, "epoch 1\nepo");
            default -> Files.writeString(logs(RUNNING).resolveSibling("log_status.yaml"), "x\n");
        }
        running.log = "epoch 1\nepoch 2\n";
        output("query", RUNNING);
        assertEquals(running.log, Files.readString(log));
    }

    @Test
    void a46EachRankHasItsFileAndTheNodesProgramToo() throws IOException {
        FakeJob job = ranks("ranks_1_0000000d", "running", 2, 2);
        job.taskLogs.put(
                "main/0",
                "fairlead: code is here\n[1,0]<stdout>:zero\n[1,1]<stderr>:one\n[1,0]<stdout>:ze");
        job.taskLogs.put("main/1", "[1,2]<stdout>:two\n[1,3]<std");
        output("query", "0000000d");
        Path logs = logs("ranks_1_0000000d");
        assertEquals("zero\nze", read(logs, 0));
        assertEquals("one\n", read(logs, 1));
        assertEquals("two\n", read(logs, 2));
        assertFalse(Files.exists(logs.resolve("70_driver_log_rank_3.txt")));
        assertEquals(
                "fairlead: code is here\n",
                Files.readString(logs.resolve("55_batchai_execution-main-0.txt")));
        job.taskLogs.put("main/0", job.taskLogs.get("main/0") + "ro again\nfairlead: done\n");
        job.taskLogs.put("main/1", "[1,2]<stdout>:two\n[1,3]<stdout>:three\n");
        String out = output("query", "0000000d");
        assertTrue(out.startsWith("zero\nzero again\nlog files:\n"), out);
        assertTrue(out.contains("'cluster': 'itp'"), out);
        assertEquals("three\n", read(logs, 3));
        assertEquals(
                "fairlead: code is here\nfairlead: done\n",
                Files.readString(logs.resolve("55_batchai_execution-main-0.txt")));
    }

    private static String read(Path logs, int rank) throws IOException {
        return Files.readString(logs.resolve("70_driver_log_rank_" + rank + ".txt"));
    }

    @Test
    void a46TheFolderCanBeNamed() throws IOException {
        shell.environment.put("AML_LOG_FOLDER", folder.resolve("elsewhere").toString());
        output("query", FAILED);
        assertTrue(Files.exists(folder.resolve("elsewhere/" + FAILED + "/log_status.yaml")));
        assertFalse(Files.exists(folder.resolve("assets")));
    }

    @Test
    void a46AnEarlierAttemptsLogsStay() throws IOException {
        output("query", RUNNING);
        Path status = folder.resolve("assets/" + RUNNING + "/log_status.yaml");
        Files.writeString(status, Files.readString(status).replace("attempt: 1", "attempt: 7"));
        running.log = "again\n";
        assertTrue(output("query", RUNNING).startsWith("again\n"));
        assertEquals(
                "epoch 1\n",
                Files.readString(
                        folder.resolve(
                                "assets/" + RUNNING + "/attempt-7/70_driver_log_rank_0.txt")));
    }

    @Test
    void theLogOfTheAttemptBeforeIsPointedTo() {
        running.attempts(3);
        String hint =
                "fairlead: this is the log of attempt 3; 'fairlead logs --attempt 2 "
                        + RUNNING
                        + "' shows the one before it\n";
        assertEquals(hint, shell.type("query", RUNNING).err());
        assertEquals(hint, shell.type("p", "query", RUNNING).err());
        assertEquals("", shell.type("-no-wl", "query", RUNNING).err());
    }

    @Test
    void a47TheLast100LinesAreShown() {
        var log = new StringBuilder();
        for (int i = 1; i <= 250; i++) log.append("line ").append(i).append('\n');
        running.log = log.toString();
        String out = output("query", RUNNING);
        assertTrue(out.startsWith("line 151\n"), out);
        assertTrue(out.contains("\nline 250\nlog files:\n"), out);
    }

    @Test
    void aFolderThatCannotBeWrittenIsToldAndTheLogIsShown() throws IOException {
        Files.writeString(folder.resolve("assets"), "a file, so no folder");
        var result = shell.type("query", FAILED);
        assertEquals(0, result.code());
        assertTrue(result.err().startsWith("fairlead: the logs cannot be kept in "), result.err());
        assertTrue(result.out().startsWith("one\ntwo\n"), result.out());
        assertTrue(result.out().contains("'status': 'Failed'}"), result.out());
    }

    @Test
    void aLogThatIsGoneIsToldAndTheFactsAreShown() {
        failed.hasLog = false;
        var result = shell.type("query", FAILED);
        assertEquals(0, result.code());
        assertTrue(
                result.err().startsWith("fairlead: there are no logs: it is gone"), result.err());
        assertTrue(result.out().startsWith("{'appID': "), result.out());
    }

    @ParameterizedTest
    @CsvSource({"-no-wl,false", "-no-dt,false", "-no-lf,true", "-wl,true"})
    void a11LessCanBeAskedFor(String option, boolean isShown) {
        for (String[] words : new String[][] {{option, "q", FAILED}, {"q", option, FAILED}}) {
            String out = output(words);
            assertEquals(isShown, out.startsWith("one\ntwo\n"), out);
            assertTrue(out.endsWith(" 'status': 'Failed'}\n"), out);
        }
        assertEquals(option.equals("-wl"), Files.exists(folder.resolve("assets")));
    }

    @Test
    void a12OptionsThatActForgetsAreForgotten() {
        output("-p", "x", "-no-wg", "-no-m", "-no-s", "-ic", "jobs", "-no-wl", "q", FAILED);
        var other = shell.type("-no-wg", "list");
        assertEquals(2, other.code());
        assertTrue(
                other.err().contains("'-no-wg' has no meaning for 'fairlead list'"), other.err());
    }

    @Test
    void a51SeveralJobsAreATableAndWhatTheyShareStandsOnce() {
        assertEquals(
                """
                cluster  elapsedTime  num_gpu
                local    0.5          1

                status   appID-s  result  elapsedFinished
                Running  0000b    -       -
                Failed   0000c    OOM     0.33
                """,
                output("query", "000b", "000c", " /000b/ "));
        assertTrue(Files.exists(logs(RUNNING)));
    }

    @Test
    void a50a52WithoutAnIdTheNewestAreListed() {
        assertEquals(
                """
                cluster  num_gpu
                local    1

                status   appID-s  elapsedTime  elapsedFinished
                Queued   0000a    -            -
                Running  0000b    0.5          -
                Failed   0000c    0.5          0.33
                """,
                output("q"));
        assertFalse(Files.exists(folder.resolve("assets")));
        var limited = shell.type("--max", "1", "q");
        assertTrue(limited.out().contains("Queued"), limited.out());
        assertFalse(limited.out().contains("Running"), limited.out());
        assertEquals("fairlead: there are more; --max K shows them\n", limited.err());
    }

    @ParameterizedTest
    @CsvSource({"f,Failed", "failed,Failed", "qf,Failed", "qq,Queued", "qr,Running"})
    void a52JobsCanBeListedByStatus(String verb, String status) {
        String out = output(verb);
        assertEquals(2, out.lines().count(), out);
        assertTrue(out.contains(status), out);
        assertTrue(output(verb, "--json").startsWith("{\"jobs\":[{\"id\":\"train_17"));
    }

    @Test
    void a52AConfigNamesTheExperiment() throws IOException {
        Files.createDirectories(folder.resolve("aux_data/aml"));
        for (String name : List.of("train", "other")) {
            Files.writeString(
                    folder.resolve("aux_data/aml/" + name + ".yaml"),
                    """
                    engine: local
                    experiment_name: %s
                    config_param:
                      code_path: {storage: 'file:/tmp', path: code.zip}
                    """
                            .formatted(name));
        }
        assertTrue(output("-c", "train", "q").contains("Running"));
        var none = shell.type("-c", "other", "q");
        assertEquals("fairlead: there are no jobs\n", none.err());
    }

    @ParameterizedTest
    @CsvSource({
        "queued,Queued",
        "starting,Queued",
        "running,Running",
        "stopping,CancelRequested",
        "succeeded,Completed",
        "failed,Failed",
        "cancelled,Canceled"
    })
    void a53StatesAreToldInActsWords(String state, String status) {
        server.add(new FakeJob("one_1_000000ff", state));
        assertTrue(output("-no-wl", "q", "00ff").contains("'status': '" + status + "'"));
    }

    @Test
    void a54AnEndThatCouldBeSeveralJobsIsRefusedWithTheList() {
        server.add(new FakeJob("other_1763179200_0000000c", "failed"));
        var several = shell.type("q", "000c");
        assertEquals(2, several.code());
        assertTrue(several.err().contains("  other_1763179200_0000000c\n"), several.err());
        assertEquals(2, shell.type("q", "nope").code());
        assertFalse(Files.exists(folder.resolve("assets")));
    }

    @Test
    void a60ParseTellsTheCodesOfTheLogsThatAreHere() {
        var missing = shell.type("parse", "000c");
        assertEquals(2, missing.code());
        assertTrue(missing.err().contains("'fairlead query 000c' fetches them"), missing.err());
        output("q", FAILED);
        assertEquals(
                """
                OOM
                  70_driver_log_rank_0.txt:3: RuntimeError: CUDA out of memory. Tried
                """,
                output("parse", "000c"));
        assertEquals(output("parse", "000c"), output("parse", "train"), "by its name");
    }

    @Test
    void parseAsksTheServerWhichJobIsTheLast() {
        server.add(new FakeJob("newest_1763179200_0000000d", "failed"));
        output("q", "000d");
        var parsed = shell.type("parse", "@last");
        assertEquals(0, parsed.code(), parsed.err());
        assertEquals(2, shell.type("parse", "000c").code(), "only the newest was fetched");
    }

    @Test
    void a60ParseTellsThatTheJobHasGoneOnSinceItsLogsWereFetched() {
        output("q", RUNNING);
        running.log += "RuntimeError: CUDA out of memory. Tried\n";
        running.state("failed", 1);
        var old = shell.type("parse", RUNNING);
        assertEquals(
                "fairlead: the logs name no cause that is known\n"
                        + "fairlead: the job was Running when these logs were fetched; 'fairlead"
                        + " query "
                        + RUNNING
                        + "' fetches what is missing\n",
                old.err());
        output("q", RUNNING);
        assertTrue(output("parse", RUNNING).startsWith("OOM\n"));
    }

    /** What is said of a job with these parameters in its command. */
    private String queried(String yaml) {
        byte[] bytes = yaml.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        failed.command("python p.py -bp " + java.util.Base64.getEncoder().encodeToString(bytes));
        return output("-no-wl", "q", FAILED);
    }

    @Test
    void a49ParametersInTheCommandAreDecoded() throws IOException {
        String yaml = "param: {data: coco, net: r50, expid: M_BS16}\ntype: train\n";
        String out = queried(yaml);
        assertTrue(out.contains(" 'data': 'coco',\n"), out);
        assertTrue(out.contains(" 'full_expid': 'coco_r50_M_BS16',\n"), out);
        assertTrue(out.contains(" 'cmd_param': {'param': {'data': 'coco',"), out);
    }

    /** The parameters of ACT's own document have 972 characters, and a list cuts at 200. */
    @Test
    void a49ParametersOfALongCommandAreDecodedInListsToo() {
        String yaml =
                "pad: %s\nparam: {data: coco, net: r50, expid: M}\n".formatted("x".repeat(700));
        String out = queried(yaml);
        assertTrue(out.contains(" 'full_expid': 'coco_r50_M',\n"), out);
        String list = output("q");
        assertTrue(list.contains("  coco  r50  M"), list);
        assertEquals(1, list.lines().filter(line -> line.contains("coco")).count(), list);
    }

    @Test
    void a49AnExperimentThatSaysItsFolderIsInThatOne() {
        String yaml = "data: coco\nnet: r50\nexpid: M\nfull_expid: mine\n";
        String out = queried(yaml);
        assertTrue(out.contains(" 'full_expid': 'mine',\n"), out);
    }

    @Test
    void jsonIsTheServersAnswer() {
        assertTrue(output("q", "--json", FAILED).startsWith("{\"job\":{\"id\":\"" + FAILED));
    }
}
