package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Submitting by a config file of ACT, and listing and checking such files. */
class ActVerbsTest {
    private static final String LOCAL =
            """
            engine: local
            config_param:
              code_path: {storage: 'file:/nowhere/ann', path: code.zip}
              data_folder: {storage: 'file:/nowhere/ann', path: data}
            experiment_name: vision
            env: {NCCL_IB_DISABLE: '0'}
            """;

    private static final String AZURE =
            """
            aml_config: {subscription_id: '1', resource_group: g, workspace_name: w}
            compute_target: NC24RSV3
            gpu_per_node: 8
            config_param:
              code_path:
                azure_blob_config_file: aux_data/configs/vig_account.yaml
                path: code.zip
            """;

    private static final String ACCOUNT =
            """
            account_name: vig
            sas_token: ?x
            container_name: data
            endpoint: http://127.0.0.1:1/vig
            """;

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        shell.environment.put("FAIRLEAD_HOME", folder.resolve("home").toString());
        shell.environment.put("PATH", "/bin");
        shell.environment.put("USER", "ann");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void write(String file, String text) {
        Shell.write(folder, file, text);
    }

    private void withConfig() {
        write("aux_data/aml/aml.yaml", LOCAL);
    }

    /** Words are split at blanks. */
    private Shell.Result type(String line) {
        return shell.type(line.split(" "));
    }

    private List<String> command() {
        return server.submitted.getFirst().roles().getFirst().command();
    }

    @Test
    void a1a2EverythingAfterTheVerbIsTheCommand() {
        withConfig();
        var result = type("submit python train.py -n 8 --json --name x -- -c y");
        assertEquals(0, result.code(), result.err());
        assertEquals(
                List.of("python", "train.py", "-n", "8", "--json", "--name", "x", "--", "-c", "y"),
                command());
        assertEquals(4, server.submitted.getFirst().roles().getFirst().gpus());
    }

    @Test
    void a29TheIdIsPrintedAndTheCommandBesideIt() {
        withConfig();
        var result = type("-n 8 submit python train.py --data voc20");
        assertTrue(result.out().matches("\\S+_[0-9a-f]{8}\n"), result.out());
        assertEquals(
                "fairlead: the folder /nowhere/ann of the code is not on this machine: the nodes"
                        + " must have it\n"
                        + "fairlead: submitted with 'aml' to 'local', 8 GPUs on 2 nodes: python"
                        + " train.py --data voc20\n",
                result.err());
    }

    @Test
    void a7NumbersOfGpusBeforeTheVerbCountForAllNodes() {
        withConfig();
        type("-n 8 submit ls");
        SpecBody spec = server.submitted.getFirst();
        assertEquals(2, spec.roles().getFirst().count());
        assertEquals(4, spec.roles().getFirst().gpus());
        assertEquals("vision", spec.name());
        assertEquals("local", spec.cluster());
        assertEquals("0", spec.env().get("NCCL_IB_DISABLE"));
        assertEquals("act", spec.origin().dialect());
        assertTrue(spec.origin().text().contains("\"nodes\":2"), spec.origin().text());
    }

    @Test
    void a31AnImpossibleNumberOfGpusIsRefusedBeforeAnythingIsSent() {
        withConfig();
        var result = type("-n 6 submit ls");
        assertEquals(2, result.code());
        assertTrue(
                result.err().startsWith("fairlead: -n 6: 6 GPUs are no multiple of gpu_per_node"),
                result.err());
        assertEquals(List.of(), server.submitted);
    }

    @Test
    void a10a13OptionsOfActStandBeforeTheVerb() {
        withConfig();
        assertEquals(0, type("-single -hold -ca --fast -no-wg submit ls").code());
        String job = server.submitted.getFirst().origin().text();
        assertTrue(
                job.contains("\"processesPerNode\":1,\"mpi\":false")
                        && job.contains("\"compileArgs\":\"--fast\",\"sleepIfFail\":true"),
                job);
    }

    @Test
    void aFirstWordThatLooksLikeAnOptionIsTold() {
        withConfig();
        var result = type("submit --name x ls");
        assertEquals(List.of("--name", "x", "ls"), command());
        assertTrue(
                result.err().startsWith("fairlead: '--name' is a part of the command: "),
                result.err());
    }

    @Test
    void a40AQuotedCommandIsSplitAndAWordWithABlankIsTold() {
        withConfig();
        var quoted = shell.type("submit", "python train.py --lr 0.1");
        assertEquals(List.of("python", "train.py", "--lr", "0.1"), command());
        assertFalse(quoted.err().contains("becomes several words"), quoted.err());
        var mixed = shell.type("submit", "echo", "a b");
        assertEquals(
                List.of("echo", "a", "b"), server.submitted.getLast().roles().getFirst().command());
        assertTrue(mixed.err().contains("'a b' becomes several words"), mixed.err());
    }

    @Test
    void aCallForHelpIsNoCommand() {
        withConfig();
        assertTrue(type("submit --help").out().startsWith("usage: fairlead"));
        assertEquals(List.of(), server.submitted);
    }

    @ParameterizedTest
    @CsvSource({"submit", "submit ''"})
    void withoutACommandNothingIsSubmitted(String line) {
        withConfig();
        var result = shell.type(line.replace("''", " ").split(" ", 2));
        assertEquals(2, result.code());
        assertTrue(result.err().contains("The command is missing."), result.err());
    }

    @Test
    void a4TheOptionNamesAConfigFileAndOtherwiseAClusterOfTheServer() {
        withConfig();
        write("aux_data/aml/c1.yaml", LOCAL.replace("engine: local", "engine: gpu1"));
        type("-c c1 submit ls");
        assertEquals("gpu1", server.submitted.getFirst().cluster());
        var other = type("-c lab submit --name plain ls");
        assertEquals(
                "fairlead: there is no aux_data/aml/lab.yaml: 'lab' is taken for a cluster of the"
                        + " server\n",
                other.err());
        SpecBody plain = server.submitted.getLast();
        assertEquals("lab", plain.cluster());
        assertEquals("plain", plain.name());
        assertNull(plain.origin());
    }

    @Test
    void a5AnEmptyVariableSwitchesConfigFilesOff() {
        withConfig();
        shell.environment.put("AML_CONFIG_PATH", "");
        type("submit --name plain ls");
        assertEquals("plain", server.submitted.getFirst().name());
        assertNull(server.submitted.getFirst().origin());
    }

    @Test
    void withoutAConfigFileOptionsOfActAreRefused() {
        var result = type("-single submit ls");
        assertEquals(2, result.code());
        assertTrue(
                result.err().contains("'-single' is for jobs with a config file of ACT"),
                result.err());
    }

    @Test
    void aSecretTravelsOnlyAsASecret() {
        write("aux_data/aml/aml.yaml", AZURE + "engine: local\n");
        write(
                "aux_data/configs/vig_account.yaml",
                "account_name: vig\nsas_token: ?sig=verysecret\ncontainer_name: data\n"
                        + "endpoint: http://127.0.0.1:1/vig\n");
        var result = type("submit ls");
        SpecBody spec = server.submitted.getFirst();
        assertEquals(Map.of("FAIRLEAD_ACT_SAS_0", "?sig=verysecret"), spec.secrets());
        assertFalse(spec.origin().text().contains("verysecret"));
        assertTrue(result.err().contains("could not be looked at from here"), result.err());
        assertFalse((result.out() + result.err()).contains("verysecret"));
    }

    @Test
    void a15aComputeOfAzureMlBecomesAClusterOfTheServerAndGetsTheJob() {
        write("aux_data/aml/aml.yaml", AZURE + "use_cli_auth: true\n");
        write("aux_data/configs/vig_account.yaml", ACCOUNT);
        var result = type("-n 16 submit ls");
        assertEquals(0, result.code(), result.err());
        assertTrue(
                result.err().endsWith("with 'aml' to 'lab', 16 GPUs on 2 nodes: ls\n"),
                result.err());
        assertEquals("lab", server.submitted.getFirst().cluster());
        assertEquals(
                "{\"name\":\"aml\",\"engine\":\"azureml\",\"settings\":{\"subscription\":\"1\",\"resource-group\":\"g\",\"workspace\":\"w\",\"compute\":\"NC24RSV3\",\"credential\":\"cli\"}}",
                server.asked.getFirst());
    }

    @Test
    void a15QuestionsAboutAComputeOfAzureMlAreAboutItsClusterAlone() {
        write("aux_data/aml/az.yaml", AZURE);
        write("aux_data/configs/vig_account.yaml", ACCOUNT);
        for (String verb : List.of("q", "qf", "qr", "s", "blame")) {
            server.requests.clear();
            var result = type("-c az " + verb);
            assertEquals(0, result.code(), result::toString);
            assertEquals("POST /v1/clusters", server.requests.getFirst());
            assertTrue(server.requests.getLast().contains("cluster=lab"), verb);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    platform: itp         | has 'platform: itp', and jobs are sent to compute clusters
                    platform: singularity | has 'platform: singularity', and
                    """)
    void whatAzureMlCannotRunYetIsRefusedBeforeTheServerIsAsked(String line, String words) {
        write("aux_data/aml/aml.yaml", AZURE + line + "\n");
        write("aux_data/configs/vig_account.yaml", ACCOUNT);
        var result = type("submit ls");
        assertEquals(2, result.code());
        assertTrue(result.err().contains(words), result.err());
        assertEquals(List.of(), server.requests);
    }

    @Test
    void aMistakeInTheFileIsToldBySubmitToo() {
        write("aux_data/aml/aml.yaml", LOCAL + "gpu_per_node: x\n");
        var result = type("submit ls");
        assertEquals(2, result.code());
        assertEquals(
                "fairlead: aux_data/aml/aml.yaml:7: gpu_per_node must be a whole number from 1 to"
                        + " 1024, but is 'x'\n",
                result.err());
    }

    @Test
    void codeThatIsNotThereYetIsTold() {
        write("aux_data/aml/aml.yaml", LOCAL.replace("/nowhere/ann", folder.toString()));
        assertTrue(type("submit ls").err().contains("is not there yet: 'fairlead init' makes it"));
    }

    @Test
    void theJsonAnswerIsTheServers() {
        withConfig();
        assertTrue(type("--json submit ls").out().startsWith("{\"ids\":["));
    }

    @Test
    void clustersListsFilesAndTheServersClusters() {
        withConfig();
        write("aux_data/aml/az.yaml", AZURE);
        write("aux_data/aml/bad.yaml", LOCAL + "gpu_per_node: x\n");
        write(
                "aux_data/configs/vig_account.yaml",
                "account_name: vig\nsas_token: ?x\ncontainer_name: data\n");
        write(
                "aux_data/configs/philly_vc.yaml",
                "cluster: wu1\nconfig_param: {code_path: /hdfs/code.zip}\n");
        var result = type("clusters");
        assertEquals(0, result.code(), result.err());
        assertEquals(
                """
                CONFIG  ENGINE      COMPUTE   GPUS/NODE  CODE                           FILE
                aml *   local       -         4          file:/nowhere/ann/code.zip     aux_data/aml/aml.yaml
                az      (Azure ML)  NC24RSV3  8          azureblob://vig/data/code.zip  aux_data/aml/az.yaml
                bad     1 mistake   -         -          -                              aux_data/aml/bad.yaml
                wu1     (Philly)    -         4          file:/hdfs/code.zip            aux_data/configs/philly_vc.yaml
                """,
                result.out().substring(0, result.out().indexOf("\n\n") + 1));
        assertTrue(result.out().contains("\nCLUSTER "), result.out());
        String check = type("config check").out();
        String gone = "'wu1' is a cluster of Philly, which is gone: it needs a line 'engine: NAME'";
        assertTrue(check.contains(gone), check);
    }

    @Test
    void clustersAsJsonHasFilesMistakesAndClusters() {
        withConfig();
        write("aux_data/aml/bad.yaml", LOCAL + "gpu_per_node: x\n");
        String json = type("clusters --json").out();
        assertTrue(
                json.startsWith(
                        "{\"configs\":[{\"name\":\"aml\",\"file\":\"aux_data/aml/aml.yaml\","
                                + "\"usual\":true,\"engine\":\"local\",\"gpusPerNode\":4,"
                                + "\"code\":\"file:/nowhere/ann/code.zip\","
                                + "\"folders\":{\"data\":\"file:/nowhere/ann/data\"},"
                                + "\"mistakes\":[]},{\"name\":\"bad\","
                                + "\"file\":\"aux_data/aml/bad.yaml\",\"usual\":false,"
                                + "\"mistakes\":[\"aux_data/aml/bad.yaml:7: "),
                json);
        assertTrue(json.contains("],\"clusters\":[{\"name\":\"local\","), json);
    }

    @Test
    void filesAreListedWithoutAServer() {
        withConfig();
        server.close();
        var result = type("clusters");
        assertEquals(0, result.code());
        assertTrue(result.out().contains("aml *"), result.out());
        assertFalse(result.err().isEmpty());
    }

    @Test
    void checkTellsWhatWasFound() {
        withConfig();
        var result = type("config check");
        assertEquals(0, result.code(), result.err());
        assertEquals(
                "aux_data/aml/aml.yaml: 'aml' runs on the cluster 'local', 4 GPUs on a node, code"
                        + " in file:/nowhere/ann/code.zip, folders data\n",
                result.out());
    }

    @Test
    void checkNamesEachMistakeOnceAndWarnsWithoutFailing() {
        write("aux_data/aml/a.yaml", AZURE);
        write("aux_data/aml/b.yaml", AZURE);
        write("aux_data/aml/c.yaml", LOCAL + "mine: 1\n");
        write("aux_data/configs/vig_account.yaml", "account_name: vig\nsas_token: x\n");
        var result = type("config check");
        assertEquals(2, result.code());
        assertEquals("fairlead: 2 mistakes\n", result.err());
        assertTrue(
                result.out()
                        .startsWith(
                                "aux_data/configs/vig_account.yaml:1: container_name is missing\n"
                                        + "aux_data/configs/vig_account.yaml:2: sas_token must"
                                        + " start with the question mark '?'\n"
                                        + "warning: aux_data/aml/c.yaml:7: mine is ignored.\n"),
                result.out());
        assertEquals(0, type("config check -c c").code());
        assertEquals(2, type("-c a config check").code());
    }

    @Test
    void checkNamesTheLineOfAnUnknownEngineAndSaysNoMoreOfIt() {
        write("aux_data/aml/ns.yaml", LOCAL.replace("engine: local", "engine: nosuch"));
        var result = type("config check");
        assertEquals(2, result.code());
        assertEquals(
                "aux_data/aml/ns.yaml:1: engine names 'nosuch', which is no cluster of the server;"
                        + " known: local, lab\n",
                result.out());
    }

    @Test
    void checkNamesAnUnknownEngineBesideAnotherMistake() {
        write("aux_data/aml/ns.yaml", LOCAL.replace("local", "nosuch") + "gpu_per_node: four\n");
        var result = type("config check");
        assertEquals(2, result.code());
        assertEquals("fairlead: 2 mistakes\n", result.err());
        assertTrue(result.out().contains("engine names 'nosuch'"), result.out());
        assertTrue(result.out().contains("gpu_per_node"), result.out());
    }

    @Test
    void checkNamesTheLineOfAnUnknownProject() {
        String vision = LOCAL.replace("engine: local", "engine: {cluster: local, project: vision}");
        write("aux_data/aml/ns.yaml", vision.replace("vision", "visoin"));
        write("aux_data/aml/ok.yaml", vision);
        var result = type("config check");
        assertEquals(2, result.code());
        assertTrue(
                result.out()
                        .startsWith(
                                "aux_data/aml/ns.yaml:1: engine names 'visoin', which is no project"
                                    + " of the server; known: default, vision\n"
                                    + "aux_data/aml/ok.yaml: 'ok' runs on the cluster 'local' for"
                                    + " the project 'vision'"),
                result.out());
    }

    @Test
    void checkTellsWarningsBesideAMistake() {
        write("aux_data/aml/bad.yaml", LOCAL + "mine: 1\ngpu_per_node: x\n");
        var result = type("config check");
        assertEquals(2, result.code());
        assertTrue(
                result.out().endsWith("\nwarning: aux_data/aml/bad.yaml:7: mine is ignored.\n"),
                result.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    config chek          | Did you mean 'check'?
                    config check         | there is no config file here
                    config check -c c1   | no aux_data/aml/c1.yaml
                    """)
    void whatCannotBeCheckedIsTold(String line, String words) {
        var result = type(line);
        assertEquals(2, result.code());
        assertTrue(result.err().contains(words), result.err());
    }
}
