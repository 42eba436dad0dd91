package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.dialects.act.config.AzureMl;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Spot;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** What the keys of a config file of ACT mean, and what the messages about wrong ones say. */
class ActConfigTest {
    private static final Store.Blob BLOB =
            new Store.Blob(
                    "vigeast",
                    Optional.of("c2VjcmV0LWtleQ=="),
                    Optional.of("?sv=2020-12-06&sig=verysecret"),
                    "data",
                    Optional.empty());

    @TempDir Path folder;

    @Test
    void a16TheExampleOfTheDocumentIsReadAsItStandsThere() throws ConfigException {
        ClusterConfig config = ConfigFolder.documented(folder).config();
        assertEquals("aml", config.name());
        assertEquals(folder.resolve(ConfigFolder.AML), config.file());
        assertEquals(Optional.empty(), config.target());
        assertEquals(new Mapped(BLOB, "path/to/code.zip"), config.code());
        assertEquals(List.of("data", "output"), List.copyOf(config.folders().keySet()));
        assertEquals(new Mapped(BLOB, "path/to/data"), config.folders().get("data"));
        assertEquals(Optional.of("amsword/setup:py36pt16"), config.image());
        assertEquals("experiment_name", config.experiment());
        assertEquals(Map.of("NCCL_IB_DISABLE", "0"), config.env());
        assertEquals(
                Optional.of(List.of("-x", "\\*src/py-faster-rcnn/\\*", "-x", "\\*src/CMC/\\*")),
                config.zipOptions());
        assertEquals(
                new AzureMl(
                        Optional.of(new AzureMl.Workspace("11", "vision", "vig")),
                        Optional.of("NC24RSV3"),
                        "aml",
                        true),
                config.azure());
        assertEquals(List.of(), config.warnings());
    }

    @Test
    void a17WhatIsNotSaidHasTheDefaultsOfAct() throws ConfigException {
        ClusterConfig config = ConfigFolder.small(folder, "").config();
        assertEquals(4, config.gpusPerNode());
        assertTrue(config.multiProcess());
        assertEquals(OptionalInt.empty(), config.processesPerNode());
        assertEquals("", config.compileArgs());
        assertFalse(config.sleepIfFail());
        assertFalse(config.sleepIfSucceed());
        assertEquals(Optional.empty(), config.image());
        assertEquals(Optional.empty(), config.zipOptions());
        assertEquals(Map.of(), config.env());
        assertEquals("aml", config.azure().platform());
    }

    @Test
    void a18TheExperimentIsCalledAsTheUserWhereItIsNotNamed() throws ConfigException {
        assertEquals("jianfw", ConfigFolder.small(folder, "").config().experiment());
    }

    @Test
    void a17EveryFurtherKeyIsKnown() throws ConfigException {
        ConfigFolder files =
                ConfigFolder.small(
                        folder,
                        """
                        with_log: true
                        platform: singularity
                        sleep_if_fail: yes
                        sleep_if_succeed: On
                        compile_args: --fast
                        preemption_allowed: false
                        process_count_per_node: 2
                        interpreter_path: python
                        elastic_num_gpu: null
                        singularity_sla_tier: Premium
                        singularity_instance_type: ND40
                        gpu_per_node: 8
                        multi_process: False
                        """);
        ClusterConfig config = files.config();
        assertEquals(List.of(), files.warnings());
        assertTrue(config.sleepIfFail());
        assertTrue(config.sleepIfSucceed());
        assertEquals("--fast", config.compileArgs());
        assertEquals(OptionalInt.of(2), config.processesPerNode());
        assertEquals(8, config.gpusPerNode());
        assertFalse(config.multiProcess());
        assertEquals("singularity", config.azure().platform());
    }

    @Test
    void a17AksComputeMeansItpAndIsTold() throws ConfigException {
        var files = ConfigFolder.documented(folder);
        files.with(
                ConfigFolder.AML,
                ConfigFolder.DOCUMENTED.replace("aks_compute: false", "aks_compute: true"));
        assertEquals("itp", files.config().azure().platform());
        assertEquals(
                List.of("aux_data/aml/aml.yaml:16: aks_compute is old: write 'platform: itp'"),
                files.warnings());
    }

    @Test
    void anUnknownKeyIsAWarningWithTheKeyThatIsMeant() throws ConfigException {
        var files = ConfigFolder.small(folder, "gpus_per_node: 8\nmy_own: 1\n");
        assertEquals(
                List.of(
                        "aux_data/aml/aml.yaml:4: gpus_per_node is ignored."
                                + " Did you mean 'gpu_per_node'?",
                        "aux_data/aml/aml.yaml:5: my_own is ignored."),
                files.warnings());
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    engine: gpu1,                              gpu1, ''
                    'engine: {cluster: gpu1, project: vision}', gpu1, vision
                    engine: {cluster: gpu1},                   gpu1, ''
                    """)
    void theKeyEngineNamesAClusterOfFairlead(String line, String cluster, String project)
            throws ConfigException {
        var files = ConfigFolder.small(folder, "");
        files.with(
                ConfigFolder.AML,
                line + "\nconfig_param: {code_path: {storage: 'file:/s', path: c.zip}}\n");
        Target target = files.config().target().orElseThrow();
        assertEquals(cluster, target.cluster());
        assertEquals(project, target.project().orElse(""));
        assertEquals(new Spot(Path.of(ConfigFolder.AML), 1), target.spot());
    }

    @ParameterizedTest
    @CsvSource({"engine: azureml", "engine: aml", "engine: null", "other: 1"})
    void withoutAnEngineOfOursAFileMeansAzureMl(String line) throws ConfigException {
        var files = ConfigFolder.documented(folder);
        files.with(ConfigFolder.AML, ConfigFolder.DOCUMENTED + line + "\n");
        assertEquals(Optional.empty(), files.config().target());
    }

    @Test
    void aFileForAClusterOfOursNeedsNothingOfAzureMl() throws ConfigException {
        ClusterConfig config =
                ConfigFolder.small(folder, "aml_config: aux_data/aml/none.json\n").config();
        assertEquals(Optional.of("local"), config.target().map(Target::cluster));
        assertEquals(
                new Mapped(new Store.Folder(Path.of("/shared/ann")), "code.zip"), config.code());
    }

    @Test
    void a20AValueThatIsOnlyAPathBelongsToTheAccountOfTheFile() throws ConfigException {
        var files =
                ConfigFolder.documented(folder)
                        .with(
                                ConfigFolder.AML,
                                """
                                engine: local
                                azure_blob_config_file: aux_data/configs/vigeastblob_account.yaml
                                config_param:
                                  code_path: /a/code.zip
                                  data_folder: ./b//c/
                                  all_folder: /
                                """);
        ClusterConfig config = files.config();
        assertEquals(new Mapped(BLOB, "a/code.zip"), config.code());
        assertEquals(new Mapped(BLOB, "b/c"), config.folders().get("data"));
        assertEquals(new Mapped(BLOB, ""), config.folders().get("all"));
    }

    @Test
    void a23ValuesOfVariablesAreTheTextsThatWereWritten() throws ConfigException {
        var files = ConfigFolder.small(folder, "env: {A: 0, B: 1.50, C: true, D: '', E: 'x y'}\n");
        assertEquals(
                Map.of("A", "0", "B", "1.50", "C", "true", "D", "", "E", "x y"),
                files.config().env());
    }

    @Test
    void dockerMayNameARegistry() throws ConfigException {
        var files =
                ConfigFolder.small(
                        folder,
                        "docker: {image: vision/train, tag: v1, address: reg.example.org,"
                                + " username: ann, password: pass}\n");
        assertEquals(Optional.of("reg.example.org/vision/train:v1"), files.config().image());
        assertEquals(
                List.of(
                        "aux_data/aml/aml.yaml:4: docker.password is not used: the cluster's own"
                                + " secrets open its registries"),
                files.warnings());
    }

    @Test
    void theImageIsNotUsedWhereTheFileSaysSo() throws ConfigException {
        var files = ConfigFolder.small(folder, "docker: {image: a/b}\nuse_custom_docker: False\n");
        assertEquals(Optional.empty(), files.config().image());
    }

    static Stream<Arguments> wrongLines() {
        return Stream.of(
                wrong(
                        "gpu_per_node: 0",
                        "gpu_per_node must be a whole number from 1 to 1024, but is '0'"),
                wrong(
                        "gpu_per_node: four",
                        "gpu_per_node must be a whole number from 1 to 1024, but is 'four'"),
                wrong("gpu_per_node: [4]", "gpu_per_node must be a text"),
                wrong(
                        "process_count_per_node: -1",
                        "process_count_per_node must be a whole number from 1 to 1024, but is"
                                + " '-1'"),
                wrong(
                        "multi_process: maybe",
                        "multi_process must be true or false, but is 'maybe'"),
                wrong(
                        "platform: mars",
                        "platform must be one of aml, itp, singularity, but is 'mars'"),
                wrong("env: [A]", "env must be keys with values"),
                wrong("env: {A: null}", "env.A has no value"),
                wrong("env: {A-B: 1}", "env.A-B is no name for a variable"),
                wrong("env: {A: [1]}", "env.A must be a text"),
                wrong("zip_options: -x", "zip_options must be a list"),
                wrong("zip_options: [{a: b}]", "zip_options must be a list of texts"),
                wrong("docker: image", "docker must be keys with values"),
                wrong("docker: {tag: v1}", "docker.image is missing, and there is a tag"),
                wrong(
                        "docker: {image: 'a:b', tag: v1}",
                        "docker.tag is given, but the image already has one"),
                wrong("docker: {image: 'a b'}", "docker.image is no name of an image: 'a b'"),
                wrong("env: {A: 1, A: 2}", "A is given twice"),
                wrong("[a, b]: c", "a key must be a text"),
                wrong("env: {A: \"\\0\"}", "env.A contains a NUL character"));
    }

    private static Arguments wrong(String line, String problem) {
        return Arguments.of(line, problem);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongLines")
    void a16AWrongValueIsToldWithItsLine(String line, String problem) {
        assertEquals(
                List.of("aux_data/aml/aml.yaml:4: " + problem),
                ConfigFolder.small(folder, line + "\n").mistakes());
    }

    static Stream<Arguments> wrongEntries() {
        String blob = "azure_blob_config_file: " + ConfigFolder.ACCOUNT;
        return Stream.of(
                wrong(
                        "data_folder: {storage: 'file:/s', path: ../x}",
                        "config_param.data_folder.path must not have '..' in it: '../x'"),
                wrong(
                        "data_folder: {storage: 'file:/s', path: a/../../x}",
                        "config_param.data_folder.path must not have '..' in it: 'a/../../x'"),
                wrong(
                        "data_folder: {storage: 'file:/s'}",
                        "config_param.data_folder.path is missing"),
                wrong(
                        "data_folder: {storage: 'file:s', path: x}",
                        "config_param.data_folder.storage must name a folder by its whole path,"
                                + " such as file:/shared/ann, but is 'file:s'"),
                wrong(
                        "data_folder: {storage: 'file:/', path: x}",
                        "config_param.data_folder.storage must name a folder by its whole path,"
                                + " such as file:/shared/ann, but is 'file:/'"),
                wrong(
                        "data_folder: {storage: 'file:/a/../b', path: x}",
                        "config_param.data_folder.storage must name a folder by its whole path,"
                                + " such as file:/shared/ann, but is 'file:/a/../b'"),
                wrong(
                        "data_folder: {storage: 's3:/a', path: x}",
                        "config_param.data_folder.storage must be file:/FOLDER, but is 's3:/a'; a"
                                + " container of Azure Blob is named by azure_blob_config_file"),
                wrong(
                        "data_folder: {storage: 'file:/a', " + blob + ", path: x}",
                        "config_param.data_folder.storage and azure_blob_config_file exclude each"
                                + " other"),
                wrong(
                        "data_folder: {path: x}",
                        "config_param.data_folder.azure_blob_config_file is missing"),
                wrong(
                        "data_folder: {azure_blob_config_file: aux_data/configs/none.yaml, path:"
                                + " x}",
                        "there is no file aux_data/configs/none.yaml"),
                wrong(
                        "data_folder: {azure_blob_config_file: aux_data, path: x}",
                        "aux_data is no file"),
                wrong(
                        "data_folder: {storage_type: file, file_share: s, " + blob + ", path: x}",
                        "config_param.data_folder.storage_type file means an Azure file share,"
                            + " which is not supported; mount it, and say 'storage: file:/FOLDER'"
                            + " instead"),
                wrong(
                        "data_folder: {storage_type: tape, storage: 'file:/s', path: x}",
                        "config_param.data_folder.storage_type must be one of blob, file, but is"
                                + " 'tape'"),
                wrong(
                        "data_folder: some/path",
                        "config_param.data_folder is only a path; it needs azure_blob_config_file"
                                + " and path, or one azure_blob_config_file for the whole file"),
                wrong("data_folder: null", "config_param.data_folder is empty"),
                wrong("data_folder: [a]", "config_param.data_folder must be keys with values"),
                wrong(
                        ".._folder: {storage: 'file:/s', path: x}",
                        "config_param..._folder must be the name of one local folder, followed by"
                                + " _folder"),
                wrong(
                        "a/b_folder: {storage: 'file:/s', path: x}",
                        "config_param.a/b_folder must be the name of one local folder, followed by"
                                + " _folder"),
                wrong(
                        "_folder: {storage: 'file:/s', path: x}",
                        "config_param._folder must be the name of one local folder, followed by"
                                + " _folder"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongEntries")
    void a19AWrongEntryIsToldWithItsLine(String line, String problem) {
        var files = ConfigFolder.small(folder, "  " + line + "\n");
        files.with(ConfigFolder.ACCOUNT, ConfigFolder.ACCOUNT_TEXT);
        assertEquals(List.of("aux_data/aml/aml.yaml:4: " + problem), files.mistakes());
    }

    @Test
    void aFileForNoClusterIsAskedForItsEngine() throws Exception {
        var files =
                new ConfigFolder(folder)
                        .with(
                                "aux_data/aml/aml.yaml",
                                "config_param:\n  code_path: {storage: 'file:/s', path: c.zip}\n");
        assertEquals(
                List.of(
                        "aux_data/aml/aml.yaml:1: engine is missing: 'engine: local' means this"
                                + " machine; a file for Azure ML has aml_config and compute_target"
                                + " instead"),
                files.mistakes());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    engine: local                                 | config_param is missing: it says where code_path is
                    config_param: {data_folder: {storage: 'file:/s', path: x}} | config_param.code_path is missing: it says where the code is kept
                    config_param: {code_path: {storage: 'file:/s', path: ''}} | config_param.code_path.path is empty
                    config_param: {code_path: {storage: 'file:/s', path: a/}} | config_param.code_path.path must name a file, but is 'a/'
                    config_param: {code_path: {storage: 'file:/s', path: /}} | config_param.code_path.path must name a file, but is '/'
                    config_param: 5                               | config_param must be keys with values
                    """)
    void a19WithoutACodePathNothingCanRun(String line, String problem) {
        var files = new ConfigFolder(folder);
        files.with(ConfigFolder.AML, "engine: local\n" + line.replace("engine: local", "") + "\n");
        List<String> mistakes = files.mistakes();
        assertEquals(1, mistakes.size(), mistakes::toString);
        assertTrue(mistakes.getFirst().endsWith(": " + problem), mistakes::toString);
    }

    @Test
    void a38AnEntryThatIsNoFolderIsIgnoredWithAWarning() throws ConfigException {
        var files = ConfigFolder.small(folder, "  extra: {path: x}\n");
        assertEquals(
                List.of(
                        "aux_data/aml/aml.yaml:4: config_param.extra is ignored: only code_path and"
                                + " keys that end with _folder count"),
                files.warnings());
    }

    @Test
    void allMistakesAreToldAtOnceInTheOrderOfFilesAndLines() {
        var files = ConfigFolder.documented(folder);
        files.with(
                        ConfigFolder.AML,
                        ConfigFolder.DOCUMENTED
                                .replace("gpu_per_node: 4", "gpu_per_node: x")
                                .replace("path: path/to/data", "path: ../data"))
                .with(ConfigFolder.ACCOUNT, "account_name: vigeast\nsas_token: sv=1\n")
                .with("aux_data/aml/config.json", "{\"subscription_id\": \"1\"}");
        assertEquals(
                List.of(
                        "aux_data/aml/aml.yaml:10: config_param.data_folder.path must not have '..'"
                                + " in it: '../data'",
                        "aux_data/aml/aml.yaml:22: gpu_per_node must be a whole number from 1 to"
                                + " 1024, but is 'x'",
                        "aux_data/aml/config.json:1: resource_group is missing",
                        "aux_data/aml/config.json:1: workspace_name is missing",
                        "aux_data/configs/vigeastblob_account.yaml:1: container_name is missing",
                        "aux_data/configs/vigeastblob_account.yaml:2: sas_token must start with the"
                                + " question mark '?'"),
                files.mistakes());
    }
}
