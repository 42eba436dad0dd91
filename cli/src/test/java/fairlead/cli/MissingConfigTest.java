package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What is said where an option of ACT names a config file that is not there. */
class MissingConfigTest {
    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        config("aml", "aml.zip");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void write(String file, String text) {
        Shell.write(folder, file, text);
    }

    private void config(String name, String code) throws IOException {
        write(
                "aux_data/aml/" + name + ".yaml",
                """
                engine: local
                config_param:
                  code_path: {storage: 'file:%s', path: %s}
                """
                        .formatted(folder, code));
    }

    /** The id of a job of ACT that runs. */
    private String act() {
        String id = "ann_1763179200_0000000b";
        server.add(new FakeJob(id, "running", FakeBodies.act("c1", 1, 1, 1)));
        return id;
    }

    private void refused(int code, String why, String line) {
        var result = shell.type(line.split(" "));
        assertEquals(code, result.code(), result::toString);
        assertTrue(result.err().contains(why), result.err());
    }

    @Test
    void aClusterOfPhillyThatActIsAskedForIsToldAsThat() throws IOException {
        write(
                "aux_data/configs/philly_vc.yaml",
                """
                engine: local
                cluster: wu1
                user_name: ann
                blob_mount_point: /blob
                storage: file:%s
                config_param: {code_path: /blob/code.zip}
                """
                        .formatted(folder));
        String why = "the 'wu1' of aux_data/configs/philly_vc.yaml is for 'fairlead p' alone";
        refused(0, why + ": 'wu1' is taken for a cluster of the server\n", "-c wu1 submit ls");
        refused(2, "fairlead: " + why + "\n", "-c wu1 local ls");
    }

    @Test
    void a60LocalRefusesAConfigThatIsNotThere() throws IOException {
        for (int i = 1; i <= 6; i++) config("c" + i, "c.zip");
        String none = "there is no aux_data/aml/nosuch.yaml; here are aml, c1, c2, c3, c4";
        refused(2, none + " and 2 more\n", "-c nosuch local ls");
        String ending = ": a config file is named without its ending, %s c1";
        refused(2, ending.formatted("-c") + "\n", "-c c1.yaml local ls");
        refused(2, ending.formatted("-c"), "-c c1.yaml config check");
        refused(2, ending.formatted("-rt"), "-rt c1.yaml resubmit " + act());
        Files.delete(folder.resolve("aux_data/aml/aml.yaml"));
        refused(0, " or -c c5 (and 1 more) goes by a config\n", "submit ls");
    }

    @Test
    void aVerbOfQdThatIsNotNeededSaysSoWhateverItsOptions() {
        refused(2, "'monitor' is not needed here: ", "-c aml -f x monitor -c aml");
        refused(2, "'p sync' is not needed here: ", "p -c wu1 sync");
        refused(2, "'sync' is not needed here: 'fairlead init' uploads the code", "-c aml sync");
        refused(2, "'p monitor' is not needed here: a line 'retries: N' in philly", "p monitor");
        refused(2, "'p download' is not needed here: 'fairlead download' does it, w", "p d data");
        for (String line :
                List.of("synk", "monitr", "injct", "p synk", "p monitr", "p updat_config"))
            assertFalse(shell.type(line.split(" ")).err().contains("Did you mean"), line);
    }

    @Test
    void itsHelpSaysTheSameWithoutAnExampleThatIsRefused() {
        var result = shell.type("monitor", "--help");
        assertEquals(0, result.code());
        assertTrue(result.out().startsWith("'monitor' is not needed here: "), result.out());
        assertEquals(1, result.out().lines().count(), result.out());
        assertEquals(result.out(), shell.type("help", "monitor").out());
    }

    @Test
    void anEmptyVariableLeavesTheFileThatAnOptionNames() throws IOException {
        config("c1", "c1.zip");
        shell.environment.put("AML_CONFIG_PATH", "");
        refused(0, "submitted with 'c1' to 'local', no GPU: ls", "-c c1 -n 0 submit ls");
        refused(2, "there is no aux_data/aml/c2.yaml; here are aml, c1\n", "-c c2 local ls");
        shell.folder = Files.createDirectories(folder.resolve("src"));
        refused(0, "submitted with 'c1' to 'local', no GPU: ls", "-c c1 -n 0 submit ls");
    }

    @Test
    void aClusterThatIsNowhereIsRefusedByEachVerbAboutJobs() {
        String either =
                "fairlead: there is no aux_data/aml/nosuch.yaml; here are aml; nor has the server"
                        + " such a cluster, only local, lab\n";
        String id = act();
        for (String verb :
                "q abort ssh parse logs why describe bash wait delete spec profile attach"
                        .split(" ")) {
            var result = shell.type("-c", "nosuch", verb, id);
            assertEquals(either, result.err());
            assertEquals(2, result.code());
        }
        for (String verb : List.of("q", "s", "blame", "submit ls"))
            assertEquals(either, shell.type(("-c nosuch " + verb).split(" ")).err());
        refused(2, "so 4 or 8 is possible; nothing was aborted\n", "-c aml -n 6 resubmit " + id);
        refused(2, "; nothing was aborted\n", "-c nosuch resubmit " + id);
        for (String known : List.of("aml", "lab")) {
            assertEquals(0, shell.type("-c", known, "describe", id).code());
            assertEquals(0, shell.type("-c", known, "why", id).code());
        }
    }

    @Test
    void aVerbOfTheServerSaysWhichClusterAConfigFileNames() throws IOException {
        config("c1", "c1.zip");
        String what = "fairlead: 'c1' is the config file aux_data/aml/c1.yaml, but 'fairlead %s'";
        String line = what + " takes a cluster of the server, such as its engine: -c local\n";
        for (String verb : List.of("list", "nodes", "queue", "snapshot", "run ls")) {
            refused(2, line.formatted(verb.split(" ")[0]), "-c c1 " + verb);
        }
    }

    @Test
    void aVariableThatNamesNoFileIsToldAsThat() {
        shell.environment.put("AML_CONFIG_PATH", "/nope.yaml");
        String none = "fairlead: there is no file /nope.yaml, which AML_CONFIG_PATH names\n";
        refused(2, none, "q");
        refused(2, none, "submit ls");
    }

    @Test
    void anUnknownEngineOfTheFileThatAJobMovesToIsToldWithItsLine() throws IOException {
        config("c1", "aux_data");
        String file = Files.readString(folder.resolve("aux_data/aml/c1.yaml"));
        write("aux_data/aml/e8.yaml", file.replace("local", "nosuch"));
        String no = "no cluster 'nosuch'; known: local, lab";
        server.refusal = new ErrorBody("invalid", no, "cluster", null);
        refused(
                2,
                "fairlead: aux_data/aml/e8.yaml:1: engine names 'nosuch', which is no cluster of"
                        + " the server; known: local, lab; nothing was aborted\n",
                "-rt e8 resubmit " + act());
    }

    @Test
    void aMistypedKeyIsNamedBesideTheOneThatIsMissing() throws IOException {
        write("aux_data/aml/aml.yaml", "engine: local\nconfig_params: {}\ndatastore_name: x\n");
        String line = "aux_data/aml/aml.yaml:%d: ";
        String missing = "config_param is missing: it says where code_path is\n";
        String meant = "config_params is ignored. Did you mean 'config_param'?\n";
        refused(2, line.formatted(1) + missing + line.formatted(2) + meant, "submit ls");
    }

    @Test
    void aTabInAConfigFileIsToldAsThat() throws IOException {
        write("aux_data/aml/aml.yaml", "engine: local\n\tgpu_per_node: 4\n");
        refused(2, "aml.yaml:2: not YAML: a tab is here, where only blanks may be\n", "submit ls");
    }

    @Test
    void aProgramThatIsNotThereIsNamedByLocal() {
        refused(127, "fairlead: nosuchprog: not found\n", "local nosuchprog");
    }

    @Test
    void aForgottenValueIsTold() {
        String why = " must be followed by its value, but '%s' is an option. Is the value missing?";
        refused(2, "-c" + why.formatted("-n"), "-c -n 0 submit ls");
        refused(2, "-rt" + why.formatted("-n"), "-rt -n 0 resubmit x");
        refused(2, "-c" + why.formatted("--json"), "q -c --json");
        refused(2, "'-c' needs a value: NAME", "-c= submit ls");
    }

    @Test
    void aValueMayStandBehindAnEqualsSignAsInPython() throws IOException {
        config("c2", "c2.zip");
        refused(0, "submitted with 'c2' to 'local', 8 GPUs on 2 nodes: ls", "-c=c2 -n=8 submit ls");
        refused(2, "there is no config file for 'c9'", "-rt=c9 resubmit " + act());
        assertEquals(0, shell.type("-ca=--fast", "submit", "ls").code());
        String origin = server.submitted.getLast().origin().text();
        assertTrue(origin.contains("\"compileArgs\":\"--fast\""), origin);
    }
}
