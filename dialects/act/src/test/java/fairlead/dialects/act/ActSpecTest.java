package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Spot;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What a config file and a command line become. */
class ActSpecTest {
    private static final Instant NOW = Instant.parse("2026-11-15T14:16:36Z");

    @TempDir Path folder;

    private static ActRequest request(int gpus, String... words) {
        return new ActRequest(List.of(words), OptionalInt.of(gpus), false, Optional.empty(), false);
    }

    private ClusterConfig documented() throws ConfigException {
        var files = ConfigFolder.documented(folder);
        return files.with(ConfigFolder.AML, ConfigFolder.DOCUMENTED + "engine: gpu1\n").config();
    }

    @Test
    void a35AJobHasItsWordsItsNodesAndWhatTheFileSays() throws ConfigException, Misuse {
        SpecBody spec =
                ActSpec.of(documented(), request(8, "python", "train.py", "--data", "voc20"), NOW);
        assertEquals("experiment_name", spec.name());
        assertEquals("gpu1", spec.cluster());
        RoleBody role = spec.roles().getFirst();
        assertEquals("main", role.name());
        assertEquals(2, role.count());
        assertEquals(4, role.gpus());
        assertEquals(List.of("python", "train.py", "--data", "voc20"), role.command());
        assertEquals(Map.of("NCCL_IB_DISABLE", "0"), spec.env());
        assertEquals("amsword/setup:py36pt16", spec.image());
        assertEquals("1024G", spec.container().shm());
        assertEquals("act", spec.origin().dialect());
        assertEquals("", spec.origin().key());
    }

    @Test
    void theFileSaysHowOftenAFailedJobIsTriedAgain() throws ConfigException, Misuse {
        ClusterConfig config = ConfigFolder.small(folder, "retries: 3\n").config();
        assertEquals(3, ActSpec.of(config, request(1, "ls"), NOW).retries());
        ClusterConfig plain = ConfigFolder.small(folder, "").config();
        assertEquals(null, ActSpec.of(plain, request(1, "ls"), NOW).retries());
    }

    @Test
    void theNodeLearnsPlacesAndTheNamesOfSecretsButNoSecret() throws ConfigException, Misuse {
        SpecBody spec = ActSpec.of(documented(), request(8, "ls"), NOW);
        ActJob job = ActJob.fromJson(spec.origin().text());
        String container = "https://vigeast.blob.core.windows.net/data/";
        assertEquals(
                new Place.Blob(container + "path/to/code.zip", "FAIRLEAD_ACT_SAS_0"), job.code());
        assertEquals(
                new Place.Blob(container + "path/to/data", "FAIRLEAD_ACT_SAS_0"),
                job.folders().get("data"));
        assertEquals(8, job.gpus());
        assertEquals(2, job.nodes());
        assertEquals(4, job.processesPerNode());
        assertTrue(job.mpi());
        assertEquals(Map.of("FAIRLEAD_ACT_SAS_0", "?sv=2020-12-06&sig=verysecret"), spec.secrets());
        assertFalse(spec.origin().text().contains("verysecret"));
        assertFalse(spec.toString().contains("c2VjcmV0LWtleQ"), "the key stays here");
    }

    @Test
    void eachContainerHasItsOwnSignature() throws ConfigException, Misuse {
        var files =
                ConfigFolder.documented(folder)
                        .with(
                                "aux_data/configs/other.yaml",
                                "account_name: other\nsas_token: ?b\ncontainer_name: more\n");
        files.with(
                ConfigFolder.AML,
                ConfigFolder.DOCUMENTED.replaceFirst(
                                "(?s)(data_folder:.{1,60}configs/)vigeastblob_account", "$1other")
                        + "engine: gpu1\n");
        SpecBody spec = ActSpec.of(files.config(), request(1, "ls"), NOW);
        assertEquals(
                Map.of(
                        "FAIRLEAD_ACT_SAS_0", "?sv=2020-12-06&sig=verysecret",
                        "FAIRLEAD_ACT_SAS_1", "?b"),
                spec.secrets());
        assertEquals(
                new Place.Blob(
                        "https://other.blob.core.windows.net/more/path/to/data",
                        "FAIRLEAD_ACT_SAS_1"),
                ActJob.fromJson(spec.origin().text()).folders().get("data"));
    }

    @Test
    void aFolderThatTheSignatureCannotStoreIsToReadOnly() throws ConfigException, Misuse {
        for (var each : Map.of("sp=rl", "ro", "sp=rwdl", "").entrySet()) {
            ConfigFolder files =
                    ConfigFolder.small(
                            folder,
                            "  data_folder: {azure_blob_config_file: other.yaml, path: in}\n");
            files.with(
                    "other.yaml",
                    "account_name: other\nsas_token: '?%s&sig=s'\ncontainer_name: more\n"
                            .formatted(each.getKey()));
            SpecBody spec = ActSpec.of(files.config(), request(1, "ls"), NOW);
            assertEquals(
                    each.getValue(),
                    ActJob.fromJson(spec.origin().text()).folders().get("data").fuse());
        }
    }

    @Test
    void foldersOfAFileStoreAreSeenInsideAnImage() throws ConfigException, Misuse {
        String entry = "  data_folder: {storage: 'file:/data sets', path: 'a b/ü%'}\n";
        SpecBody inImage =
                ActSpec.of(
                        ConfigFolder.small(folder, entry + "docker: {image: a/b}\n").config(),
                        request(1, "ls"),
                        NOW);
        assertEquals(List.of("/shared/ann:/shared/ann", "/data sets:/data sets"), inImage.mounts());
        assertEquals(
                new Place.File("/data sets/a b/ü%", "", "/data sets"),
                ActJob.fromJson(inImage.origin().text()).folders().get("data"));
        SpecBody outside =
                ActSpec.of(ConfigFolder.small(folder, entry).config(), request(1, "ls"), NOW);
        assertNull(outside.mounts());
        assertNull(outside.container());
        assertNull(outside.secrets());
    }

    @Test
    void a22a10TheCommandLineGoesBeforeTheFile() throws ConfigException, Misuse {
        ClusterConfig config = ConfigFolder.small(folder, "compile_args: --slow\n").config();
        ActJob said =
                job(
                        config,
                        new ActRequest(
                                List.of("ls"),
                                OptionalInt.empty(),
                                true,
                                Optional.of("--fast"),
                                true));
        assertEquals("--fast", said.compileArgs());
        assertEquals(1, said.processesPerNode());
        assertTrue(said.sleepIfFail());
        ActJob plain = job(config, request(4, "ls"));
        assertEquals("--slow", plain.compileArgs());
        assertFalse(plain.sleepIfFail());
    }

    private static ActJob job(ClusterConfig config, ActRequest request) throws Misuse {
        return ActJob.fromJson(ActSpec.of(config, request, NOW).origin().text());
    }

    @Test
    void aFileOfAzureMlGoesToTheClusterThatStandsForItsCompute() throws ConfigException, Misuse {
        ClusterConfig config = ConfigFolder.documented(folder).config();
        var cluster = new Target("aml-2", Optional.empty(), new Spot(config.file(), 1));
        SpecBody spec = ActSpec.of(config.at(cluster), request(8, "ls"), NOW);
        assertEquals("aml-2", spec.cluster());
        assertEquals(ActSpec.of(documented(), request(8, "ls"), NOW).origin(), spec.origin());
    }

    @ParameterizedTest
    @CsvSource({
        "my experiment, my-experiment",
        "_x, x",
        "'', jianfw",
        "ÄÖ, job",
        "v1.2_a-b, v1.2_a-b"
    })
    void a18AnExperimentNamesItsJobsAsFarAsJobsMayBeCalledSo(String experiment, String name)
            throws ConfigException, Misuse {
        var files = ConfigFolder.small(folder, "experiment_name: '" + experiment + "'\n");
        assertEquals(name, ActSpec.of(files.config(), request(1, "ls"), NOW).name());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    nvidia-smi                    | [nvidia-smi]
                    python;train.py;--lr;0.1      | [python, train.py, --lr, 0.1]
                    python train.py --lr 0.1      | [python, train.py, --lr, 0.1]
                    echo;a b                      | [echo, a, b]
                    echo;a  b;;c                  | [echo, a, b, c]
                    sh;-c;"x"                     | [sh, -c, "x"]
                    """)
    void a29a40WordsAreJoinedAndSplitAtSingleSpaces(String typed, String words) {
        assertEquals(words, ActRequest.words(List.of(typed.split(";"))).toString());
    }

    @Test
    void pathsAreWrittenIntoAddressesByteByByte() {
        assertEquals("a%20b/%C3%BC%25%3F%23~-._", ActSpec.encoded("a b/ü%?#~-._"));
    }
}
