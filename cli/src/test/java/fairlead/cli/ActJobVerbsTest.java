package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.Place;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The verbs of ACT that change jobs or look at the cluster; the items are those of ACT. */
class ActJobVerbsTest {
    private static final String RUNNING = "ann_1763179200_0000000b";
    private static final String FAILED = "ann_1763179200_0000000c";

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        server.add(new FakeJob(FAILED, "failed"));
        server.add(act(RUNNING, "running"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A job of four processes on one node, submitted with the config eu. */
    private static FakeJob act(String id, String state) {
        var job =
                new ActJob(
                        "eu",
                        4,
                        1,
                        4,
                        true,
                        new Place.File("/code.zip"),
                        Map.of(),
                        "-O3",
                        false,
                        false);
        return new FakeJob(id, state, FakeBodies.from(ActOrigin.write(job)));
    }

    private void config(String name, int gpusPerNode) throws IOException {
        Files.createDirectories(folder.resolve("aux_data/aml"));
        Files.writeString(folder.resolve("code.zip"), "");
        Files.writeString(
                folder.resolve("aux_data/aml/" + name + ".yaml"),
                """
                engine: local
                experiment_name: ann
                gpu_per_node: %d
                config_param:
                  code_path: {storage: 'file:%s', path: code.zip}
                """
                        .formatted(gpusPerNode, folder));
    }

    private String output(String... words) {
        return shell.type(words).output();
    }

    /** Both ids and the target are named beside the new id. */
    private String again(String config, String... words) {
        var result = shell.type(words);
        assertEquals(
                "fairlead: "
                        + RUNNING
                        + " is aborted, and submitted again to '"
                        + config
                        + "' as "
                        + result.out(),
                result.err());
        assertEquals(0, result.code());
        return result.out();
    }

    private List<String> posts() {
        return server.requests.stream().filter(line -> line.startsWith("POST")).toList();
    }

    @Test
    void a55AbortTakesSeveralIdsWithSlashesAroundThem() {
        server.add(new FakeJob("ann_1763179200_0000000d", "running"));
        assertEquals(
                RUNNING + " aborted\nann_1763179200_0000000d aborted\n",
                output("a", "/000b/", " 000d", "000b"));
    }

    @Test
    void a56ResubmitChecksAndThenSubmitsInThePlaceOfTheOld() throws IOException {
        config("eu", 4);
        String out = again("eu", "resubmit", "000b");
        assertTrue(out.matches("ann_\\d+_[0-9a-f]{8}\n"), out);
        assertEquals(List.of("POST /v1/jobs?dryRun=true", "POST /v1/jobs?ifItFits=true"), posts());
        assertEquals(List.of(RUNNING), server.replaced);
        var spec = server.submitted.getLast();
        assertEquals(
                List.of("python3", "train.py", "--lr", "0.1"), spec.roles().getFirst().command());
        ActJob job = ActOrigin.of(spec).orElseThrow();
        assertEquals(4, job.gpus());
        assertEquals("-O3", job.compileArgs());
    }

    @Test
    void a56AJobThatTheServerWouldNotTakeIsNotAborted() throws IOException {
        config("eu", 4);
        server.refusal = new ErrorBody("invalid", "no room for it", null, null);
        assertFalse(shell.type("resubmit", "000b").code() == 0);
        assertEquals(List.of("POST /v1/jobs?dryRun=true"), posts());
    }

    @Test
    void noneOfSeveralIsSubmittedAgainWhereOneIsNotThere() throws IOException {
        config("eu", 4);
        assertEquals(2, shell.type("resubmit", "000b", "nosuch").code());
        assertEquals(List.of(), posts());
    }

    @Test
    void a57OtherGpusMeanOtherNodes() throws IOException {
        config("eu", 4);
        again("eu", "-n", "8", "resubmit", "000b");
        ActJob job = ActOrigin.of(server.submitted.getLast()).orElseThrow();
        assertEquals(2, job.nodes());
        assertEquals(4, job.processesPerNode());
        var odd = shell.type("--num_gpu", "6", "resubmit", "000b");
        assertEquals(2, odd.code());
        assertTrue(odd.err().contains("--num_gpu 6: 6 GPUs are no multiple of "), odd.err());
    }

    @Test
    void a9ResubmitToAnotherClusterTakesItsLayout() throws IOException {
        config("eu", 4);
        config("us", 2);
        again("us", "-rt", "us", "resubmit", "000b");
        ActJob job = ActOrigin.of(server.submitted.getLast()).orElseThrow();
        assertEquals("us", job.config());
        assertEquals(2, job.nodes());
        assertEquals(2, job.processesPerNode());
        assertEquals(0, shell.type("-c", "us", "resubmit", "000b").code());
        assertEquals("us", ActOrigin.of(server.submitted.getLast()).orElseThrow().config());
        var unknown = shell.type("-rt", "none", "resubmit", "000b");
        assertEquals(2, unknown.code());
        assertTrue(unknown.err().contains("there is no config file for 'none'"), unknown.err());
        assertTrue(
                unknown.err().contains("; here are eu, us; nothing was aborted\n"), unknown.err());
    }

    /** What stops the second must not find the first aborted. */
    @Test
    void noneOfSeveralIsAbortedWhereOneCannotBeSubmittedAgain() throws IOException {
        config("eu", 4);
        config("us", 2);
        var plain = shell.type("-rt", "us", "resubmit", "000b", "000c");
        assertEquals(2, plain.code(), plain.err());
        assertTrue(plain.err().contains("without one; nothing was aborted"), plain.err());
        assertEquals(List.of("POST /v1/jobs?dryRun=true"), posts());
        assertEquals(List.of(), server.replaced);
    }

    @Test
    void a56WithoutTheConfigTheServerSubmitsTheSame() {
        var again = shell.type("resubmit", "000b");
        String id = again.out().strip();
        assertEquals(
                "fairlead: there is no config file for 'eu' here: "
                        + RUNNING
                        + " is aborted, and submitted again by its own spec as "
                        + id
                        + "\n",
                again.err());
        assertEquals(List.of("POST /v1/jobs/" + RUNNING + "/resubmit"), posts());
        var laidOut = shell.type("-n", "8", "resubmit", "000b");
        assertEquals(2, laidOut.code());
        assertTrue(laidOut.err().contains("there is no config file for 'eu'"), laidOut.err());
    }

    @Test
    void a9OtherJobsHaveNoConfigToGoBy() {
        var result = shell.type("-rt", "us", "resubmit", "000c");
        assertEquals(2, result.code());
        assertTrue(result.err().contains("was submitted without one"), result.err());
        output("resubmit", "000c");
    }

    @Test
    void a58SshTakesExactlyOneJob() {
        assertEquals(2, shell.type("ssh").code());
        assertEquals(2, shell.type("ssh", "000b", "000c").code());
    }

    @Test
    void a59SummaryCountsNodesGpusAndJobs() {
        server.add(new FakeJob("ann_1763179200_0000000e", "queued"));
        assertEquals(
                """
                {'max_node_count': 1,
                 'num_queued_jobs': 1,
                 'num_running_job': 1,
                 'preparing_node_count': 0,
                 'running_node_count': 1,
                 'total_free_gpu': 2,
                 'total_gpu': 4,
                 'unusable_node_count': 0}
                """,
                output("s"));
        assertEquals(output("s"), output("summary"));
    }

    @Test
    void a60BlameShowsTheFiveThatHaveRunForLongest() {
        for (int i = 0; i < 9; i++)
            server.add(new FakeJob("bob_1763179200_0000010" + i, "running"));
        assertEquals(1 + 5, output("blame").lines().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"q", "qf", "qq", "qr", "s", "blame"})
    void aClusterThatCannotBeReachedIsTold(String verb) {
        server.notes = List.of("the cluster lab cannot be reached: connection refused");
        var result = shell.type(verb);
        assertEquals(0, result.code());
        assertTrue(
                result.err()
                        .startsWith(
                                "fairlead: the cluster lab cannot be reached: connection"
                                        + " refused\n"),
                result.err());
    }

    @Test
    void aClusterWithoutAConfigFileAnywhereIsToldAsThat() {
        server.refusal =
                new ErrorBody(
                        "invalid",
                        "jobs[0].cluster: no cluster 'c2'; known: local",
                        "jobs[0].cluster",
                        null);
        var result = shell.type("-c", "c2", "submit", "ls");
        assertTrue(
                result.err()
                        .endsWith(
                                "no cluster 'c2'; known: local. There is no aux_data/aml/c2.yaml in"
                                        + " this folder or above it either\n"),
                result.err());
        assertEquals(2, result.code());
    }

    @Test
    void inAFolderOfPhillyTheCommandPIsNamed() throws IOException {
        Files.createDirectories(folder.resolve("aux_data/configs"));
        Files.writeString(folder.resolve("aux_data/configs/philly_vc.yaml"), "engine: local\n");
        String alone =
                "fairlead: aux_data/configs/philly_vc.yaml counts for 'fairlead p' alone, so ";
        var asked = shell.type("q");
        assertTrue(asked.err().startsWith(alone + "this is about the whole server\n"), asked.err());
        var submitted = shell.type("submit", "ls");
        assertEquals(0, submitted.code());
        assertTrue(submitted.err().startsWith(alone + "this is a plain job\n"), submitted.err());
    }

    @Test
    void configFilesWithoutAUsualOneAreNamedWhereNoneIsChosen() throws IOException {
        Path files = Files.createDirectories(folder.resolve("aux_data/aml"));
        var empty = shell.type("submit", "ls");
        assertEquals("", empty.err());
        Files.writeString(files.resolve("c1.yaml"), "engine: local\n");
        Files.writeString(files.resolve("c2.yaml"), "engine: local\n");
        String hint = "; -c c1 or -c c2 goes by a config\n";
        var here = shell.type("submit", "ls");
        assertEquals(0, here.code());
        assertEquals(
                "fairlead: aux_data/aml has no aml.yaml, so this is a plain job" + hint,
                here.err());
        var asked = shell.type("q");
        assertTrue(
                asked.err()
                        .startsWith(
                                "fairlead: aux_data/aml has no aml.yaml, so this is about the whole"
                                        + " server"
                                        + hint),
                asked.err());
        shell.folder = Files.createDirectories(folder.resolve("src/deep"));
        var below = shell.type("submit", "ls");
        assertEquals(0, below.code());
        assertEquals(
                "fairlead: " + files + " has no aml.yaml, so this is a plain job" + hint,
                below.err());
        shell.environment.put("AML_CONFIG_PATH", "");
        assertEquals("", shell.type("submit", "ls").err());
    }

    @Test
    void a60LocalNeedsACommand() {
        var result = shell.type("local");
        assertEquals(2, result.code());
        assertTrue(result.err().startsWith("fairlead: what should run?"), result.err());
    }

    @Test
    void a3AnUnknownVerbIsMisuse() {
        assertEquals(2, shell.type("qx", "000b").code());
    }
}
