package fairlead.dialects.philly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.dialects.act.ConfigFolder;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.ConfigException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The config files of the Philly tool, as its document has them. */
class PhillyConfigTest {
    private static final String ONE = "aux_data/configs/philly_vc.yaml";
    private static final String MANY = "aux_data/configs/multi_philly_vc.yaml";

    private static final String DOCUMENTED =
            """
            vc: input
            cluster: wu1
            user_name: jianfw
            password: null
            blob_mount_point: /blob
            azure_blob_config_file: ./aux_data/configs/vigeastblob_account.yaml
            multi_process: true
            config_param:
                code_path: /blob/jianfw/code/quickdetection.zip
                data_folder: /blob/jianfw/data/qd_data
                model_folder: /blob/jianfw/work/qd_models
                output_folder: /blob/jianfw/work/qd_output
            docker:
                image: philly/jobs/test/vig-qd-env
                tag: py36ptnight
            """;

    private static final String SEVERAL_BLOBS =
            """
            vc: input
            cluster: wu1
            user_name: jianfw
            password: null
            blob_mount_info:
                - blob_mount_point: /blob
                  azure_blob_config_file: ./aux_data/configs/vigeastblob_account.yaml
                  blob_fuse_options:
                      - '-o'
                      - "attr_timeout=240"
                      - '-o'
                      - ro
                      - '--log-level=LOG_WARNING'
                      - '-oallow_other,uid=7'
                      - '--file-cache-timeout-in-seconds=10000000'
                - blob_mount_point: /data_blob
                  azure_blob_config_file: ./aux_data/configs/vigblob_account.yaml
            multi_process: true
            config_param:
                code_path: /blob/jianfw/code/quickdetection.zip
                data_folder: /data_blob/jianfw/data/qd_data
                model_folder: /blob/jianfw/work/qd_models
                output_folder: /hdfs/input/jianfw/output
            docker:
                image: philly/jobs/test/vig-qd-env
                tag: py36ptnight
            """;

    @TempDir Path folder;

    private ConfigFolder files(String text) {
        return new ConfigFolder(folder)
                .with(ONE, text)
                .with(ConfigFolder.ACCOUNT, ConfigFolder.ACCOUNT_TEXT)
                .with(
                        "aux_data/configs/vigblob_account.yaml",
                        ConfigFolder.ACCOUNT_TEXT.replace("vigeast", "vig"));
    }

    private static List<String> names(PhillyConfig config) {
        return config.clusters().stream().map(ClusterConfig::name).toList();
    }

    @Test
    void p1TheFileOfNamesGoesBeforeTheOneName() throws ConfigException {
        var files = files(DOCUMENTED).with(MANY, "clusters:\n    - wu1\n    - sc2\n");
        assertEquals(List.of("wu1", "sc2"), names(files.philly()));
    }

    @Test
    void p1WithoutTheFileOfNamesTheOneNameCountsAndThenTheUsualTwo() throws ConfigException {
        assertEquals(List.of("wu1"), names(files(DOCUMENTED).philly()));
        var nameless = files(DOCUMENTED.replace("cluster: wu1\n", ""));
        assertEquals(List.of("sc2", "wu1"), names(nameless.philly()));
    }

    @Test
    void p2TheExampleOfTheDocumentIsReadAsItStandsThere() throws ConfigException {
        PhillyConfig philly = files(DOCUMENTED).philly();
        ClusterConfig config = philly.clusters().getFirst();
        assertEquals("input", philly.vc());
        assertEquals(ClusterConfig.Origin.PHILLY, config.origin());
        assertEquals("jianfw", config.experiment());
        assertEquals(4, config.gpusPerNode());
        assertTrue(config.multiProcess());
        assertEquals(Optional.empty(), config.target());
        assertEquals("jianfw/code/quickdetection.zip", config.code().path());
        assertEquals("azureblob://vigeast/data", config.code().store().toString());
        assertEquals(List.of("data", "models", "output"), List.copyOf(config.folders().keySet()));
        assertEquals(Optional.of("philly/jobs/test/vig-qd-env:py36ptnight"), config.image());
        assertEquals(List.of(), config.warnings());
    }

    @Test
    void p3APasswordIsNotNeededAndNeverShown() throws ConfigException {
        var files = files(DOCUMENTED.replace("password: null", "password: geheim"));
        files.variable("PHILLY_PASSWORD", "geheimer");
        PhillyConfig philly = files.philly();
        assertEquals(
                List.of(ONE + ":4: password is not needed, and is better kept out of files"),
                ConfigFolder.words(philly.clusters().getFirst().warnings()));
        assertFalse(philly.toString().contains("geheim"));
    }

    @Test
    void p4SeveralBlobsEachHaveTheirMountPoint() throws ConfigException {
        ClusterConfig config = first(SEVERAL_BLOBS);
        assertEquals("azureblob://vigeast/data", config.code().store().toString());
        assertEquals("azureblob://vig/data", config.folders().get("data").store().toString());
        assertEquals("jianfw/data/qd_data", config.folders().get("data").path());
        assertEquals(
                List.of(
                        ONE
                                + ":8: blob_mount_info[0].blob_fuse_options has what means nothing"
                                + " here, and is ignored: --log-level=LOG_WARNING, uid=7"),
                ConfigFolder.words(config.warnings()));
        assertEquals("", config.folders().get("data").fuse());
        assertEquals(
                "attr_timeout=240,ro,allow_other,file_cache_timeout=10000000",
                config.folders().get("models").fuse());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ['--read-only=true']                      | ro
                    ['--read-only']                           | ro
                    ['--read-only=false']                     | ''
                    ['-o', 'ro', '--read-only=False']         | ''
                    ['--allow-other=1', '--read-only=true']   | allow_other,ro
                    """)
    void p4SwitchesOfBlobfuse2MayHaveAValue(String options, String counting)
            throws ConfigException {
        ClusterConfig config = first(DOCUMENTED + "blob_fuse_options: " + options + "\n");
        assertEquals(counting, config.folders().get("data").fuse());
        assertEquals(List.of(), ConfigFolder.words(config.warnings()));
    }

    @Test
    void p4OptionsThatNoEntryHasAreToldToBeIgnored() throws ConfigException {
        assertWarns(
                SEVERAL_BLOBS + "blob_fuse_options: ['-o', ro]\n",
                ":27: blob_fuse_options is ignored: each entry of blob_mount_info has its own");
    }

    private void assertWarns(String text, String warning) throws ConfigException {
        List<String> warnings = ConfigFolder.words(first(text).warnings());
        assertTrue(warnings.contains(ONE + warning), warnings::toString);
    }

    private ClusterConfig first(String text) throws ConfigException {
        return files(text).philly().clusters().getFirst();
    }

    @Test
    void aFolderThatIsMountedReadOnlyAndNotIsToldToBeWritable() throws ConfigException {
        String text =
                """
                engine: local
                vc: input
                cluster: wu1
                user_name: ann
                blob_mount_info:
                  - {blob_mount_point: /blob, storage: 'file:/s', blob_fuse_options: ['-o', ro]}
                  - {blob_mount_point: /other, storage: 'file:/t'}
                  - {blob_mount_point: /blobw, storage: 'file:/s'}
                config_param: {code_path: /blobw/c.zip, data_folder: /blob/d, output_folder: /blobw/o}
                """;
        assertWarns(
                text,
                ":8: blob_mount_info[2].blob_mount_point the same folder is mounted read-only and"
                        + " not, so jobs may write to it");
    }

    @Test
    void p5APathBelowHdfsIsAFolderOfTheNodes() throws ConfigException {
        ClusterConfig config = first(SEVERAL_BLOBS);
        assertEquals(
                new Mapped(new Store.Folder(Path.of("/hdfs")), "input/jianfw/output"),
                config.folders().get("output"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    code_path: /blob/jianfw/code/quickdetection.zip | code_path: /elsewhere/code.zip | 9 | config_param.code_path must start with a mount point (/blob, /hdfs), but is '/elsewhere/code.zip'
                    data_folder: /blob/jianfw/data/qd_data | data_folder: /blob2/data  | 10 | config_param.data_folder must start with a mount point (/blob, /hdfs), but is '/blob2/data'
                    data_folder: /blob/jianfw/data/qd_data | data_folder: /blob/../x   | 10 | config_param.data_folder must not have '..' in it: '/../x'
                    data_folder: /blob/jianfw/data/qd_data | data_folder: null         | 10 | config_param.data_folder is empty
                    data_folder: /blob/jianfw/data/qd_data | data_folder: [x]          | 10 | config_param.data_folder must be a text
                    code_path: /blob/jianfw/code/quickdetection.zip | code_path: /blob/ | 9 | config_param.code_path must name a file, but is '/'
                    code_path: /blob/jianfw/code/quickdetection.zip | code_path: null   | 9 | config_param.code_path is missing
                    blob_mount_point: /blob                | blob_mount_point: blob    | 5 | blob_mount_point must be a whole path, such as /blob, but is 'blob'
                    vigeastblob_account.yaml               | none.yaml                 | 6 | there is no file aux_data/configs/none.yaml
                    multi_process: true                    | retries: 1001             | 7 | retries must be a whole number from 0 to 1000, but is '1001'
                    multi_process: true                    | multi_process: 7          | 7 | multi_process must be true or false, but is '7'
                    """)
    void p5AWrongLineIsToldWithItsNumber(String line, String other, int number, String problem) {
        List<String> mistakes = files(DOCUMENTED.replace(line, other)).phillyMistakes();
        assertTrue(mistakes.contains(ONE + ":" + number + ": " + problem), mistakes::toString);
    }

    @Test
    void p5APathWithTwoMountPointsIsRefused() {
        String nested = SEVERAL_BLOBS.replace("/data_blob", "/blob/jianfw");
        List<String> mistakes = files(nested).phillyMistakes();
        assertTrue(
                mistakes.contains(
                        ONE
                                + ":20: config_param.code_path starts with more than one mount"
                                + " point: /blob, /blob/jianfw"),
                mistakes::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    engine: gpu1                                 | gpu1 | gpu1
                    engine: {cluster: gpu1, project: vision}     | gpu1 | gpu1
                    engine: {wu1: gpu1, sc2: {cluster: gpu2}}    | gpu1 | gpu2
                    engine: {wu1: gpu1}                          | gpu1 | none
                    """)
    void theKeyEngineNamesOnePlaceForAllClustersOrOneForEach(
            String line, String first, String second) throws ConfigException {
        var files = files(DOCUMENTED + line + "\n").with(MANY, "clusters: [wu1, sc2]\n");
        List<String> targets =
                files.philly().clusters().stream()
                        .map(config -> config.target().map(Target::cluster).orElse("none"))
                        .toList();
        assertEquals(List.of(first, second), targets);
    }

    @Test
    void aSharedFolderMayStandInForABlob() throws ConfigException {
        var files =
                files(
                        DOCUMENTED.replace(
                                "azure_blob_config_file:"
                                        + " ./aux_data/configs/vigeastblob_account.yaml",
                                "storage: file:/shared"));
        assertEquals(
                new Mapped(new Store.Folder(Path.of("/shared")), "jianfw/data/qd_data"),
                files.philly().clusters().getFirst().folders().get("data"));
    }

    @Test
    void theFileOfTheDocumentIsWholeAndSaysNothingThatIsIgnored() throws Exception {
        String document = Files.readString(Path.of("../../docs/philly.md"));
        String sample = document.split("```yaml\n")[1].split("```")[0];
        ClusterConfig config = first(sample);
        assertEquals("wu1", config.name());
        assertEquals(Set.of("data", "models", "output"), config.folders().keySet());
        assertEquals(List.of(), config.warnings());
    }

    @Test
    void aFolderWithoutTheFileHasNoPhilly() throws ConfigException {
        assertEquals(
                Optional.empty(),
                PhillyConfig.find(folder, new ConfigFolder(folder).environment()));
    }
}
