package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** The command of Philly; the items are those of Philly. */
class PhillyVerbsTest {
    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        Files.createDirectories(folder.resolve("aux_data/configs"));
        Files.writeString(
                folder.resolve("aux_data/configs/multi_philly_vc.yaml"),
                "clusters:\n    - wu1\n    - sc2\n");
        config("engine: local");
    }

    private void config(String engine) throws IOException {
        Files.writeString(folder.resolve("code.zip"), "");
        Files.writeString(
                folder.resolve("aux_data/configs/philly_vc.yaml"),
                """
                vc: input
                cluster: wu1
                user_name: ann
                %s
                blob_mount_point: /blob
                storage: file:%s
                multi_process: true
                config_param:
                    code_path: /blob/code.zip
                    data_folder: /blob/data
                """
                        .formatted(engine, folder));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private FakeJob job(String id, String state, String cluster) {
        var spec = FakeBodies.act(cluster, 4, 1, 4);
        return server.add(new FakeJob(id, state, spec));
    }

    private Shell.Result p(String... words) {
        var all = new String[words.length + 1];
        all[0] = "p";
        System.arraycopy(words, 0, all, 1, words.length);
        return shell.type(all);
    }

    private String output(String... words) {
        return p(words).output();
    }

    private ActJob submitted() {
        return ActOrigin.of(server.submitted.getLast()).orElseThrow();
    }

    private List<String> posts() {
        return server.requests.stream().filter(line -> line.startsWith("POST")).toList();
    }

    @Test
    void p9QueryShowsLogErrorsFactsStatusShellAndAddressInThisOrder() throws IOException {
        FakeJob failed = job("ann_1763179200_00006873", "failed", "sc2");
        failed.log = "one\nRuntimeError: CUDA out of memory\n";
        String out = output("query", "6873");
        assertTrue(
                out.startsWith("one\nRuntimeError: CUDA out of memory\nerrors: OOM\n{'appID': "),
                out);
        assertTrue(out.contains(" 'cluster': 'sc2',\n"), out);
        assertTrue(
                out.endsWith(
                        "\nstatus = Failed\n"
                                + server.url()
                                + "/v1/jobs/ann_1763179200_00006873\n"),
                out);
        Path log = folder.resolve("assets/ann_1763179200_00006873/log.txt");
        assertEquals(failed.log, Files.readString(log));
    }

    @Test
    void p10AJobThatRunsHasAShell() {
        job("ann_1763179200_00006873", "running", "sc2").log = "[1,0]<stdout>:hi\n";
        String out = output("q", "_00006873");
        assertTrue(out.startsWith("[1,0]<stdout>:hi\n"), out);
        assertTrue(
                out.contains("\nstatus = Running\nfairlead p ssh ann_1763179200_00006873\nhttp"),
                out);
    }

    @Test
    void p15TheLogOfTheFirstContainerIsTheOneThatIsShown() throws IOException {
        FakeJob job = job("ann_1763179200_00006873", "running", "sc2");
        job.taskLogs.put("main/0", "first\n");
        job.taskLogs.put("main/1", "second\n");
        assertTrue(output("q", "6873").startsWith("first\n{"));
        Path logs = folder.resolve("assets/ann_1763179200_00006873");
        assertEquals("second\n", Files.readString(logs.resolve("log-main-1.txt")));
    }

    @Test
    void p8AnEndThatIsNotUniqueListsWhatItCouldBeByCluster() {
        job("ann_1763179200_00006873", "running", "sc2");
        job("ann_1763179201_00006873", "running", "wu1");
        job("ann_1763179202_00006873", "running", "elsewhere");
        var several = p("q", "6873");
        assertEquals(2, several.code());
        assertEquals(
                """
                fairlead: several jobs end with '6873' or are called so
                  sc2: ann_1763179200_00006873
                  wu1: ann_1763179201_00006873
                """,
                several.err());
        var none = p("q", "ffff");
        assertEquals(2, none.code());
        assertTrue(none.err().contains("no job of these clusters ends with 'ffff'"), none.err());
        assertEquals(0, p("-c", "wu1", "q", "6873").code());
        assertEquals(2, p("-c", "xx", "q", "6873").code());
    }

    @Test
    void p12WithoutAnIdTheUseOfGpusAndThenOnesJobsByStatus() {
        job("ann_1763179200_0000000a", "queued", "sc2");
        job("ann_1763179200_0000000b", "running", "sc2");
        job("ann_1763179200_0000000c", "failed", "wu1");
        job("ann_1763179200_0000000d", "succeeded", "wu1");
        assertEquals(
                """
                cluster  quota  active  usage
                wu1      4      2       40%
                sc2      4      2       40%

                Running
                appID-s  cluster  elapsedTime  num_gpu
                0000b    local    0.5          1

                Queued
                appID-s  cluster  num_gpu
                0000a    local    1

                Pass
                appID-s  cluster  elapsedTime  num_gpu
                0000d    local    0.5          1

                Failed
                appID-s  cluster  elapsedTime  num_gpu
                0000c    local    0.5          1
                """,
                output("q"));
        assertFalse(Files.exists(folder.resolve("assets")));
    }

    @Test
    void p7TheLogsOfRunningJobsCanBeAskedFor() {
        String help = shell.type("p", "--help").out();
        assertTrue(help.contains("in a list: fetch the logs of what runs"), help);
        job("ann_1763179200_0000000b", "running", "sc2").log = "eta: 1:02:03 speed: 9 images/sec\n";
        String out = output("-wl", "q");
        assertTrue(out.contains("9 images/sec  1:02:03"), out);
    }

    @ParameterizedTest
    @CsvSource({
        "queued,Queued",
        "running,Running",
        "succeeded,Pass",
        "failed,Failed",
        "cancelled,Killed"
    })
    void p13StatesAreToldInPhillysWords(String state, String status) {
        job("ann_1763179200_0000000b", state, "sc2");
        assertTrue(output("q", "b").contains("\nstatus = " + status + "\n"));
    }

    @Test
    void p16AbortStopsAllOrNone() {
        job("ann_1763179200_0000000a", "running", "sc2");
        job("ann_1763179200_0000000b", "running", "wu1");
        assertEquals(2, p("abort", "a", "0000").code());
        assertEquals(List.of(), posts());
        assertEquals(
                "sc2 ann_1763179200_0000000a\nwu1 ann_1763179200_0000000b\n",
                output("abort", "a", "b"));
        var ended = p("abort", "a");
        assertTrue(
                ended.err().contains("'fairlead p resubmit ann_1763179200_0000000a' submits"),
                ended.err());
    }

    @Test
    void p17ResubmitKeepsTheGpusUnlessOthersAreSaid() {
        job("ann_1763179200_0000000a", "running", "sc2");
        job("ann_1763179200_0000000b", "failed", "sc2");
        assertTrue(
                p("resubmit", "a").err().contains("0a is aborted, and submitted again to 'sc2'"));
        assertEquals(4, submitted().gpus());
        assertEquals("sc2", submitted().config());
        assertEquals(List.of("ann_1763179200_0000000a"), server.replaced);
        assertTrue(p("-n", "8", "resubmit", "0000000b").err().contains("0b is submitted again"));
        assertEquals(8, submitted().gpus());
        assertEquals(2, submitted().nodes());
    }

    @Test
    void p18WithoutAnIdTheLongestWaitingJobMovesToAnIdleCluster() {
        var nothing = p("resubmit");
        assertEquals(0, nothing.code());
        assertTrue(nothing.err().contains("nothing to move: "), nothing.err());
        // The clock of the tests says that these have waited for exactly an hour.
        job("ann_1763179200_0000000a", "queued", "sc2").submitted("2025-11-15T03:59:00Z");
        assertTrue(p("resubmit").err().contains("nothing to move: "));
        job("ann_1763179200_0000000b", "queued", "sc2");
        var moved = p("resubmit");
        assertEquals(0, moved.code(), moved.err());
        assertTrue(
                moved.err()
                        .startsWith(
                                "fairlead: ann_1763179200_0000000a has waited on sc2 for 1h and"
                                        + " moves to wu1\n"),
                moved.err());
        assertEquals("wu1", submitted().config());
        assertEquals(List.of("ann_1763179200_0000000a"), server.replaced);
    }

    @Test
    void p18NothingMovesWhereEveryClusterHasAQueue() {
        job("ann_1763179200_0000000a", "queued", "sc2").submitted("2025-11-15T01:00:00Z");
        job("ann_1763179200_0000000b", "queued", "sc2");
        job("ann_1763179200_0000000c", "queued", "wu1");
        assertTrue(p("resubmit").err().contains("nothing to move to: "));
        assertEquals(List.of(), posts());
    }

    @Test
    void p21SubmitSshIsAJobThatWaits() {
        var result = p("submit", "ssh");
        assertEquals(0, result.code(), result.err());
        assertTrue(result.err().contains("opens a shell there"), result.err());
        assertEquals(List.of("ls"), server.submitted.getLast().roles().getFirst().command());
        assertTrue(submitted().sleepIfSucceed());
        assertTrue(submitted().sleepIfFail());
        assertEquals(0, p("resubmit", result.out().strip()).code());
        assertTrue(submitted().sleepIfSucceed());
        var collector = p("submit", "gc");
        assertEquals(2, collector.code());
        assertTrue(collector.err().contains("is not needed here"), collector.err());
    }

    @ParameterizedTest
    @CsvSource({"'',4,1,4", "2,2,1,2", "8,8,2,4", "6,6,2,3", "1,1,1,1"})
    void p24ContainersAreTheGpusByFour(String said, int gpus, int nodes, int each) {
        if (said.isEmpty()) p("submit", "nvidia-smi");
        else p("-n", said, "submit", "nvidia-smi");
        assertEquals(gpus, submitted().gpus());
        assertEquals(nodes, submitted().nodes());
        assertEquals(each, submitted().processesPerNode());
    }

    @Test
    void p7EveryWordAfterSubmitIsTheCommands() {
        p("-p", "x", "submit", "python", "scripts/train.py", "-n", "8", "--help");
        assertEquals(
                List.of("python", "scripts/train.py", "-n", "8", "--help"),
                server.submitted.getLast().roles().getFirst().command());
        server.submitted.clear();
        var dry = p("-no-s", "submit", "ls");
        assertEquals(0, dry.code());
        assertTrue(dry.out().contains("command: [ls]"), dry.out());
        assertTrue(server.submitted.isEmpty());
    }

    @Test
    void p23TheClusterWithMostRoomIsChosenOrTheOneWithTheShortestQueue() {
        var roomy = p("-n", "0", "submit", "ls");
        assertEquals("fairlead: to wu1, where 2 GPUs are free\n", roomy.err());
        job("ann_1763179200_0000000a", "queued", "wu1");
        var queue = p("-n", "1", "submit", "ls");
        assertEquals("fairlead: to sc2, where no job of yours waits\n", queue.err());
        assertEquals("sc2", submitted().config());
        assertEquals("fairlead: to wu1, as -c says\n", p("-c", "wu1", "submit", "ls").err());
    }

    /** The server is ours, and nothing is asked twice of it. */
    @Test
    void p27p29ARefusalIsPrintedOnce() {
        server.refusal = new ErrorBody("invalid", "no room for this", null, null);
        var refused = p("submit", "ls");
        assertEquals(2, refused.code());
        assertTrue(refused.err().endsWith("no room for this\n"), refused.err());
        assertEquals(List.of("POST /v1/jobs"), posts());
    }

    @Test
    void theReasonForTheOnlyClusterIsTheTrueOne() throws IOException {
        config("engine: {sc2: local}");
        assertEquals(
                "fairlead: to sc2, the only one of 2 clusters with an engine\n",
                p("submit", "ls").err());
        Files.delete(folder.resolve("aux_data/configs/multi_philly_vc.yaml"));
        config("engine: local");
        assertEquals("fairlead: to wu1, the only cluster\n", p("submit", "ls").err());
    }

    @Test
    void belowTheFolderOfTheFilesSubmitSaysWhichOneCounts() throws IOException {
        shell.folder = Files.createDirectories(folder.resolve("src"));
        var result = p("submit", "ls");
        assertTrue(
                result.err()
                        .startsWith(
                                "fairlead: "
                                        + folder.resolve("aux_data/configs/philly_vc.yaml")
                                        + " counts, which is above this folder"),
                result.err());
    }

    @Test
    void optionsOfActThatMeanSomethingToASubmitCount() {
        assertEquals(0, p("-hold", "-single", "-ca", "fast", "submit", "ls").code());
        assertTrue(submitted().sleepIfFail());
        assertEquals(1, submitted().processesPerNode());
        assertEquals("fast", submitted().compileArgs());
        assertEquals(2, p("-no-wl", "q").code());
    }

    @Test
    void whatWasTypedAndWhatComesOfItAreTold() {
        assertTrue(
                p("-n", "5", "submit", "ls")
                        .err()
                        .contains("fairlead: -n 5: 6 GPUs, in 2 containers of 3 each\n"));
        assertTrue(
                p("submit", "-n", "3", "ls")
                        .err()
                        .contains("'-n' is a part of the command: options stand before 'submit'"));
        assertFalse(p("--help").out().contains("GPUs for each task"));
        assertFalse(shell.type("resubmit", "--help").out().contains("GPUs for each task"));
    }

    @Test
    void withoutConfigFilesAClusterOfTheServerMayBeNamed() throws IOException {
        Files.delete(folder.resolve("aux_data/configs/multi_philly_vc.yaml"));
        Files.delete(folder.resolve("aux_data/configs/philly_vc.yaml"));
        var named = p("-c", "local", "q");
        assertEquals(0, named.code(), named.err());
        var unknown = p("-c", "nosuch", "q");
        assertEquals(2, unknown.code());
        assertTrue(unknown.err().startsWith("fairlead: no cluster 'nosuch'; known: local"));
    }

    @Test
    void p6VerbsThatAreNotNeededSayWhatReplacesThem() {
        for (String verb : List.of("sync", "update_config", "gc", "i", "inject")) {
            var result = p(verb);
            assertEquals(2, result.code());
            assertTrue(result.err().contains("is not needed here: "), result.err());
        }
        assertEquals(2, p("frobnicate").code());
        assertEquals(2, p().code());
    }

    @Test
    void p28SummaryAndBlame() {
        job("ann_1763179200_0000000a", "running", "sc2");
        job("ann_1763179200_0000000b", "queued", "sc2");
        assertEquals(
                "cluster  quota  active  usage\nsc2      4      2       40%\n",
                output("-c", "sc2", "summary"));
        assertEquals(
                "Running\nuser  GPUs\nann   1\nQueued\nuser  GPUs\nann   1\n", output("blame"));
    }

    @Test
    void p28BlameCountsWhateverSummaryCounts() {
        job("ann_1763179200_0000000a", "running", "sc2").config("sc2");
        job("ann_1763179200_0000000b", "running", "aml").config("aml");
        assertEquals("Running\nuser  GPUs\nann   2\n", output("blame"));
        assertEquals("Running\nuser  GPUs\nann   2\n", output("-c", "sc2", "blame"));
    }

    @Test
    void p28WithAQuotaBothCountTheProjectsOwn() throws IOException {
        config("engine: {cluster: local, project: vision}");
        job("ann_1763179200_0000000a", "running", "sc2");
        assertEquals(
                "cluster  quota  active  usage\nsc2      4      2.5     50%\n",
                output("-c", "sc2", "summary"));
        assertEquals(
                1,
                Collections.frequency(server.requests, "GET /v1/projects"),
                server.requests::toString);
        assertTrue(p("blame").err().contains("nothing runs, and nobody waits"));
    }

    @Test
    void p1AClusterOfPhillyItselfCannotBeReached() throws IOException {
        config("# no engine");
        var result = p("submit", "ls");
        assertEquals(2, result.code());
        assertTrue(result.err().contains("'engine: NAME'"), result.err());
        for (String verb : List.of("q", "summary", "blame")) {
            assertEquals(2, p(verb).code(), verb);
            assertTrue(p(verb).err().contains("'engine: NAME'"), verb);
        }
        config("engine: nosuch");
        for (String verb : List.of("q", "summary", "blame")) {
            assertEquals(2, p(verb).code(), verb);
            assertTrue(p(verb).err().contains("'nosuch', which is no cluster of the server"), verb);
        }
        config("engine: {sc2: nosuch}\ndocker: [x]");
        var checked = shell.type("config", "check");
        assertTrue(checked.out().contains("engine names 'nosuch'"), checked.out());
        assertTrue(checked.out().contains("docker"), checked.out());
        Files.delete(folder.resolve("aux_data/configs/philly_vc.yaml"));
        assertTrue(p("submit", "ls").err().contains("there is no aux_data/configs/philly_vc.yaml"));
        job("ann_1763179200_0000000a", "running", "sc2");
        assertTrue(output("q", "a").contains("status = Running"));
    }

    @Test
    void p19SshTakesExactlyOneJob() {
        assertEquals(2, p("ssh").code());
        assertEquals(2, p("ssh", "a", "b").code());
    }
}
