package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;

import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.Place;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Lines that users of ACT have typed, and what they were told. */
class ActLinesTest {
    private static final String RUNNING = "ann_1763179200_0000000b";

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;
    private HttpServer store;

    /** What the store of blobs answers. */
    private int status = 200;

    private String errorCode = "Because";

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        store.createContext(
                "/",
                exchange -> {
                    exchange.getResponseHeaders().add("x-ms-error-code", errorCode);
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        store.start();
        config("aml", "aml.zip");
    }

    @AfterEach
    void stop() {
        server.close();
        store.stop(0);
    }

    private void write(String file, String text) {
        Shell.write(folder, file, text);
    }

    private void config(String name, String code) throws IOException {
        write(
                "aux_data/aml/" + name + ".yaml",
                """
                engine: local
                experiment_name: train
                config_param:
                  code_path: {storage: 'file:%s', path: %s}
                """
                        .formatted(folder, code));
    }

    private void blobConfig(String name) throws IOException {
        write(
                "aux_data/aml/" + name + ".yaml",
                """
                engine: local
                config_param:
                  code_path: {azure_blob_config_file: aux_data/configs/a_account.yaml, path: c.zip}
                """);
        write(
                "aux_data/configs/a_account.yaml",
                """
                account_name: vig
                sas_token: ?sig=verysecret
                container_name: box
                endpoint: http://127.0.0.1:%d/vig
                """
                        .formatted(store.getAddress().getPort()));
    }

    private FakeJob act(String id, String state, int ranks) {
        var spec = FakeBodies.act("c1", ranks, 1, ranks);
        return server.add(new FakeJob(id, state, spec));
    }

    /** What another account would meet here. */
    private <T> T asSomebodyElse(Supplier<T> call) {
        String me = System.getProperty("user.name");
        System.setProperty("user.name", me.equals("nobody") ? "root" : "nobody");
        try {
            return call.get();
        } finally {
            System.setProperty("user.name", me);
        }
    }

    private Shell.Result refused(int code, String why, String line) {
        var result = shell.type(line.split(" "));
        assertEquals(code, result.code(), result::toString);
        assertTrue(result.err().contains(why), result.err());
        return result;
    }

    private List<String> posts() {
        return server.requests.stream().filter(line -> line.startsWith("POST")).toList();
    }

    @Test
    void theHintNamesTheClusterThatWasTyped() throws IOException {
        config("c2", "c2.zip");
        refused(0, "is not there yet: 'fairlead -c c2 init' makes it", "-c c2 submit ls");
        refused(0, "is not there yet: 'fairlead init' makes it", "submit ls");
    }

    @Test
    void aMistakeIsToldByTheNameThatWasTyped() {
        refused(2, "-n must be a whole number of at least 0, but is 'x'", "-n x submit ls");
        refused(2, "--num_gpu must be a whole number", "--num_gpu x submit ls");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "-n submit ls output | -n must be a whole number of at least 0, but is 'submit'",
                "-n q                | -n must be a whole number of at least 0, but is 'q'",
                "-n x q 000b         | -n must be a whole number of at least 0, but is 'x'",
                "p -n submit ls      | -n must be a whole number of at least 0, but is 'submit'",
                "-c submit ls        | -c must be followed by its value, but 'submit' is a verb. Is"
                        + " the value missing?",
                "p -c submit ls      | -c must be followed by its value, but 'submit' is a verb. Is"
                        + " the value missing?",
                "-ca submit a 000b   | -ca must be followed by its value, but 'submit' is a verb.",
                "--max q             | --max must be followed by its value, but 'q' is a verb.",
                "-rt resubmit        | -rt must be followed by its value, but 'resubmit' is a"
                        + " verb.",
                "-ic submit a 000b   | -ic must be followed by its value, but 'submit' is a verb.",
                "-p submit a 000b    | -p must be followed by its value, but 'submit' is a verb.",
                "p -ca submit q      | -ca must be followed by its value, but 'submit' is a verb."
            })
    void aForgottenValueDoesNotSwallowTheVerb(String line, String why) {
        act(RUNNING, "running", 1);
        refused(2, why, line);
        assertEquals(List.of(), server.requests);
    }

    @Test
    void aConfigFileMayBeCalledAsAVerb() throws IOException {
        config("run", "run.zip");
        refused(0, "submitted with 'run'", "-c run submit ls");
        refused(0, "", "-c local q");
    }

    @Test
    void aConfigFileThatIsNamedWithItsEndingIsTold() throws IOException {
        config("c2", "c2.zip");
        String none = "fairlead: there is no config file '%s': a config file is named without its";
        for (String verb : List.of("q", "submit ls", "abort x", "logs x")) {
            var result = shell.type(("-c c2.yaml " + verb).split(" "));
            assertEquals(2, result.code());
            assertEquals(none.formatted("c2.yaml") + " ending, -c c2\n", result.err());
            String path = "aux_data/aml/c2.yaml";
            String err = shell.type(("-c " + path + " " + verb).split(" ")).err();
            assertEquals(none.formatted(path) + " folder and ending, -c c2\n", err);
        }
    }

    @Test
    void aFolderThatCannotBeMadeForLogsIsToldWithTheReason() {
        act(RUNNING, "running", 1);
        shell.environment.put("AML_LOG_FOLDER", "/proc/nono");
        refused(0, "cannot be kept in /proc/nono/" + RUNNING + ": /proc/nono cannot be", "q 000b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-n 8 q",
                "q -n 8 000b",
                "-single q",
                "-hold -ca x --max 3 qr",
                "-n 8 abort 000b",
                "-no-wl -no-dt -no-lf submit ls",
                "--max 3 submit ls",
                "-n 4 -single s",
                "p -n 8 q",
                "p -single q",
                "p -hold -ca x abort 000b",
            })
    void a12WhatActPassedOverIsPassedOver(String line) {
        act(RUNNING, "running", 1);
        var result = shell.type(line.split(" "));
        assertEquals(0, result.code(), result::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-f eu q", "-rt eu submit ls", "-y abort 000b", "-f eu d data/x"})
    void whatSaysWhereSomethingGoesIsNeverPassedOver(String line) {
        act(RUNNING, "running", 1);
        refused(2, "' has no meaning for 'fairlead ", line);
    }

    @Test
    void checkComparesTheEngineWithTheServersClusters() throws IOException {
        write(
                "aux_data/aml/c2.yaml",
                Files.readString(folder.resolve("aux_data/aml/aml.yaml"))
                        .replace("local", "nosuch"));
        write("aux_data/aml/base.yaml", "gpu_per_node: 8\n");
        write(
                "aux_data/aml/c3.yaml",
                "_base_: base.yaml\n" + Files.readString(folder.resolve("aux_data/aml/aml.yaml")));
        var result = refused(2, "fairlead: 1 mistake\n", "config check");
        assertTrue(
                result.out()
                        .startsWith(
                                "aux_data/aml/c2.yaml:1: engine names 'nosuch', which is no cluster"
                                        + " of the server; known: "),
                result.out());
        assertTrue(result.out().contains("'c3' runs on the cluster 'local', 8 GPUs"));
        refused(0, "", "config check -c c3");
    }

    @Test
    void a47TheEndOfTheFirstRankIsFoundHoweverMuchTheOthersWrite() throws IOException {
        FakeJob job = act(RUNNING, "running", 8);
        var log = new StringBuilder("[1,0]<stdout>:only line of rank 0\n");
        for (int i = 0; i < 9_000; i++) log.append("[1,3]<stdout>:step ").append(i).append('\n');
        job.log = log.toString();
        var result = shell.type("-no-lf", "q", RUNNING);
        assertTrue(result.out().startsWith("only line of rank 0\n{'appID'"), result.out());
        assertTrue(Files.notExists(folder.resolve("assets")));
    }

    @Test
    void belowTheFolderOfTheConfigSubmitIsStillActs() throws IOException {
        shell.folder = Files.createDirectories(folder.resolve("src/models"));
        write("aml.zip", "");
        refused(0, "counts, which is above this folder", "submit ls -l");
        assertEquals(List.of("ls", "-l"), server.submitted.getFirst().roles().getFirst().command());
        assertEquals(ActOrigin.DIALECT, server.submitted.getFirst().origin().dialect());
    }

    @Test
    void logsAreKeptBesideTheConfigFilesWhereverQueryIsTyped() throws IOException {
        act(RUNNING, "running", 1).log = "epoch 1\n";
        shell.folder = Files.createDirectories(folder.resolve("src/models"));
        var result = refused(0, "", "q 000b");
        assertTrue(result.out().startsWith("epoch 1\nlog files:\n"), result.out());
        assertTrue(Files.isDirectory(folder.resolve("assets/" + RUNNING)), result.out());
        assertTrue(Files.notExists(shell.folder.resolve("assets")));
        shell.environment.put("AML_LOG_FOLDER", "mine");
        refused(0, "", "q 000b");
        assertTrue(Files.isDirectory(shell.folder.resolve("mine/" + RUNNING)));
    }

    @Test
    void filesAreNamedAsSeenFromWhereTheUserIs() throws IOException {
        shell.folder = Files.createDirectories(folder.resolve("src"));
        String file = folder.resolve("aux_data/aml/aml.yaml").toString();
        assertTrue(refused(0, "", "config check").out().startsWith(file + ": 'aml' runs on"));
        assertTrue(refused(0, "", "clusters").out().contains("  " + file + "\n"));
        write("aux_data/aml/aml.yaml", "gpu_per_node: four\n");
        assertTrue(refused(2, "", "config check").out().startsWith(file + ":1: "));
        shell.folder = folder;
        assertTrue(refused(2, "", "config check").out().startsWith("aux_data/aml/aml.yaml:1: "));
    }

    @Test
    void configFilesOfAnotherAccountAreToldWhereTheyDoNotCount() throws IOException {
        shell.folder = Files.createDirectories(folder.resolve("src"));
        String why = folder.resolve("aux_data") + " belongs to another account, so its config";
        asSomebodyElse(() -> refused(0, why, "submit ls"));
        assertEquals(null, server.submitted.getFirst().origin());
        asSomebodyElse(() -> refused(0, why, "q"));
    }

    @Test
    void aMistypedClusterIsToldByQueriesToo() {
        for (String verb : List.of("q", "s", "blame")) {
            var result = shell.type("-c", "typo", verb);
            assertEquals(2, result.code());
            assertEquals(
                    "fairlead: there is no aux_data/aml/typo.yaml; here are aml; nor has the server"
                            + " such a cluster, only local, lab\n",
                    result.err());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-hodl,'fairlead',' Did you mean ''-hold''?'",
        "-no-wx,'fairlead',' Did you mean ''-no-wl''?'",
        "-qqqq,'fairlead',''"
    })
    void aMistypedOptionIsCalledAsItWasTyped(String typed, String subject, String hint) {
        refused(2, "'" + subject + "' has no option '" + typed + "'." + hint + "\n", typed + " q");
    }

    @Test
    void aStoreThatDoesNotTakeTheKeyRefusesTheSubmit() throws IOException {
        blobConfig("eu");
        status = 403;
        var result =
                refused(
                        4,
                        "refuses the account's key or signature (403 Because)",
                        "-c eu submit ls");
        assertTrue(!result.err().contains("verysecret"), result.err());
        assertEquals(List.of(), server.submitted);
    }

    @Test
    void aSignatureThatOnlyReadsIsToldAtSubmit() throws IOException {
        blobConfig("eu");
        Path config = folder.resolve("aux_data/aml/eu.yaml");
        String account = "azure_blob_config_file: aux_data/configs/a_account.yaml";
        Files.writeString(
                config,
                Files.readString(config)
                        + "  output_folder: {%s, path: out}\n".formatted(account)
                        + "  data_folder: {%s, path: in}\n".formatted(account)
                        + "  here_folder: {storage: 'file:%s', path: here}\n".formatted(folder));
        Path secrets = folder.resolve("aux_data/configs/a_account.yaml");
        String text = Files.readString(secrets);
        assertFalse(shell.type("-c", "eu", "submit", "ls").err().contains("only reads"));

        Files.writeString(secrets, text.replace("?sig", "?sp=rl&sig"));
        String err = shell.type("-c", "eu", "submit", "ls").err();
        assertTrue(
                err.contains(
                        "the sas_token for azureblob://vig/box only reads: what the job writes into"
                                + " output, data will not be stored"),
                err);

        Files.writeString(secrets, text.replace("?sig", "?sp=rwl&sig"));
        assertFalse(shell.type("-c", "eu", "submit", "ls").err().contains("only reads"));
    }

    @Test
    void verbsOfTheForerunnerSayWhatDoesTheirWork() {
        refused(2, "a line 'retries: N' in the config file tries again what failed", "monitor");
        refused(2, "the queue of the server decides what runs where", "do");
        refused(2, "'fairlead list --all' shows them", "inject x");
    }

    @Test
    void codeThatNobodyHasUploadedIsToldAtSubmit() throws IOException {
        blobConfig("eu");
        status = 404;
        refused(
                0,
                "the code azureblob://vig/box/c.zip is not there yet: 'fairlead -c eu init' makes"
                        + " it",
                "-c eu submit ls");
        assertEquals(1, server.submitted.size());
        status = 200;
        assertTrue(!shell.type("-c", "eu", "submit", "ls").err().contains("not there"));
    }

    @Test
    void aContainerThatIsNotThereIsNotMadeByInit() throws IOException {
        blobConfig("eu");
        status = 404;
        errorCode = "ContainerNotFound";
        var result =
                refused(
                        4,
                        "the container azureblob://vig/box of the code is not there; make it",
                        "-c eu submit ls");
        assertTrue(!result.err().contains("makes it"), result.err());
        act(RUNNING, "running", 1);
        refused(4, "; nothing was aborted", "-rt eu resubmit 000b");
    }

    @Test
    void aFolderThatThisMachineDoesNotHaveIsTold() throws IOException {
        config("c2", "code.zip");
        Path file = folder.resolve("aux_data/aml/c2.yaml");
        Files.writeString(
                file, Files.readString(file).replace("file:" + folder, "file:/nonexistent"));
        refused(
                0,
                "the folder /nonexistent of the code is not on this machine: the nodes must have"
                        + " it",
                "-c c2 submit ls");
    }

    @Test
    void a9AJobIsNotAbortedForAStoreThatCannotBeAsked() throws IOException {
        blobConfig("eu");
        act(RUNNING, "running", 1);
        status = 500;
        refused(4, "could not be looked at: 500 Because; nothing was", "-rt eu resubmit 000b");
        store.stop(0);
        refused(4, "could not be looked at from here", "-rt eu resubmit 000b");
        assertEquals(List.of(), server.replaced);
        refused(0, "could not be looked at from here", "-c eu submit ls");
    }

    @Test
    void aJobWhoseNodesHaveSeenTheStoreIsSubmittedAgainToIt() throws IOException {
        config("c1", "code.zip");
        Path file = folder.resolve("aux_data/aml/c1.yaml");
        Files.writeString(file, Files.readString(file).replace("file:" + folder, "file:/nowhere"));
        var job =
                new ActJob(
                        "c1",
                        1,
                        1,
                        1,
                        true,
                        new Place.File("/nowhere/code.zip"),
                        Map.of(),
                        "",
                        false,
                        false);
        var origin = ActOrigin.write(job);
        server.add(new FakeJob(RUNNING, "running", FakeBodies.from(origin)));
        refused(0, "is aborted, and submitted again to 'c1'", "resubmit 000b");
        act("ann_1763179200_0000000c", "failed", 1);
        refused(0, "is not on this machine", "resubmit 000c");
    }

    @Test
    void a9AJobIsNotAbortedForOneThatHasNoCode() throws IOException {
        blobConfig("eu");
        act(RUNNING, "running", 1);
        status = 404;
        refused(4, "'fairlead -c eu init' makes it; nothing was aborted", "-rt eu resubmit 000b");
        assertEquals(List.of("POST /v1/jobs?dryRun=true"), posts());
        status = 403;
        refused(4, "refuses the account's key", "-rt eu resubmit 000b");
        status = 200;
        refused(
                0,
                RUNNING + " is aborted, and submitted again to 'eu' as ",
                "-rt eu resubmit 000b");
    }
}
