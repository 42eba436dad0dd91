package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.YamlFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which config file counts, and files that lie on each other. */
class ConfigFinderTest {
    private static final String SMALL =
            """
            engine: local
            config_param:
              code_path: {storage: 'file:/shared/ann', path: code.zip}
            """;

    @TempDir Path folder;

    private ConfigFolder files() {
        return new ConfigFolder(folder);
    }

    @Test
    void a4TheOptionNamesAFileByItsCluster() throws ConfigException {
        var files = files().with("aux_data/aml/c1.yaml", SMALL);
        assertEquals("c1", files.find("c1").orElseThrow().name());
        assertEquals(Optional.empty(), files.find("c2"));
        assertEquals(Optional.empty(), files.find(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../aml/c1", "", "a/b", "a\0b", ".."})
    void a4ANameThatIsNoFileNameFindsNothing(String cluster) throws ConfigException {
        var files = files().with("aux_data/aml/c1.yaml", SMALL);
        assertEquals(Optional.empty(), files.find(cluster));
    }

    @Test
    void a5WithoutTheOptionAmlYamlCounts() throws ConfigException {
        assertEquals("aml", files().with(ConfigFolder.AML, SMALL).config().name());
    }

    /** Also where the usual file is a link, which earlier versions of ACT turned to it. */
    @Test
    void a6TheOptionCountsForOneCallOnly() throws ConfigException, IOException {
        var files = files().with("aux_data/aml/eu.yaml", SMALL).with("aux_data/aml/we.yaml", SMALL);
        Path usual = folder.resolve(ConfigFolder.AML);
        Files.createSymbolicLink(usual, Path.of("eu.yaml"));
        assertEquals("we", files.find("we").orElseThrow().name());
        assertEquals(Path.of("eu.yaml"), Files.readSymbolicLink(usual));
        assertEquals("eu", files.config().name());
    }

    @Test
    void a5ALinkIsCalledAsWhatItLeadsTo() throws ConfigException, IOException {
        var files = files().with("aux_data/aml/eu.yaml", SMALL);
        Files.createSymbolicLink(folder.resolve(ConfigFolder.AML), Path.of("eu.yaml"));
        assertEquals("eu", files.config().name());
    }

    @Test
    void a5TheVariableNamesAnyFile() throws ConfigException {
        var files = files().with(ConfigFolder.AML, SMALL).with("my/we.yaml", SMALL);
        files.variable(ConfigPlaces.VARIABLE, "my/we.yaml");
        assertEquals("we", files.config().name());
        assertEquals("aml", files.find("aml").orElseThrow().name());
    }

    @Test
    void a5AVariableThatNamesNoFileIsTold() {
        var files = files().variable(ConfigPlaces.VARIABLE, "my/none.yaml");
        assertEquals(
                List.of("there is no file my/none.yaml, which AML_CONFIG_PATH names"),
                files.mistakes());
    }

    @Test
    void anEmptyVariableMeansThatOnlyAFileCountsWhichIsNamed() throws ConfigException {
        var files = files().with(ConfigFolder.AML, SMALL);
        files.variable(ConfigPlaces.VARIABLE, "");
        assertEquals(Optional.empty(), files.find(null));
        assertEquals("aml", files.find("aml").orElseThrow().name());
    }

    @Test
    void aLinkThatLeadsNowhereIsTold() throws IOException {
        Files.createDirectories(folder.resolve("aux_data/aml"));
        Files.createSymbolicLink(folder.resolve(ConfigFolder.AML), Path.of("gone.yaml"));
        assertEquals(List.of("there is no file aux_data/aml/aml.yaml"), files().mistakes());
    }

    @Test
    void a21AFileLiesOnItsBaseAndBlocksAreJoined() throws ConfigException {
        var files =
                files().with(
                                "aux_data/aml/base/all.yaml",
                                SMALL + "gpu_per_node: 8\nenv: {A: 1, B: 2}\n")
                        .with(
                                ConfigFolder.AML,
                                """
                                _base_: base/all.yaml
                                env: {B: 3, C: 4}
                                config_param:
                                  data_folder: {storage: 'file:/d', path: x}
                                """);
        ClusterConfig config = files.config();
        assertEquals(8, config.gpusPerNode());
        assertEquals("{A=1, B=3, C=4}", config.env().toString());
        assertEquals("code.zip", config.code().path());
        assertTrue(config.folders().containsKey("data"));
    }

    @Test
    void a21AMistakeInABaseIsToldWithItsOwnLine() {
        var files =
                files().with("aux_data/aml/all.yaml", "\ngpu_per_node: x\n" + SMALL)
                        .with(ConfigFolder.AML, "_base_: all.yaml\nmulti_process: x\n");
        assertEquals(
                List.of(
                        "aux_data/aml/all.yaml:2: gpu_per_node must be a whole number from 1 to"
                                + " 1024, but is 'x'",
                        "aux_data/aml/aml.yaml:2: multi_process must be true or false, but is 'x'"),
                sorted(files.mistakes()));
    }

    private static List<String> sorted(List<String> texts) {
        return texts.stream().sorted().toList();
    }

    @Test
    void a21FilesThatLieOnEachOtherInACircleAreRefused() {
        var files =
                files().with("aux_data/aml/b.yaml", "\n_base_: ./aml.yaml\n")
                        .with(ConfigFolder.AML, "_base_: b.yaml\n");
        assertEquals(
                List.of("aux_data/aml/b.yaml:2: _base_ leads back to aux_data/aml/aml.yaml"),
                files.mistakes());
    }

    @Test
    void a21ATallPileOfFilesIsRefused() {
        var files = files();
        for (int i = 0; i < 30; i++) {
            files.with("aux_data/aml/" + i + ".yaml", "_base_: " + (i + 1) + ".yaml\n");
        }
        files.with(ConfigFolder.AML, "_base_: 0.yaml\n");
        assertEquals(
                List.of("aux_data/aml/9.yaml:1: more than 10 files lie on each other"),
                files.mistakes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"_base_: none.yaml", "_base_: [a]", "_base_: \"a\\0b\""})
    void a21ABaseThatCannotBeReadIsTold(String line) {
        List<String> mistakes = files().with(ConfigFolder.AML, line + "\n").mistakes();
        assertEquals(1, mistakes.size());
        assertTrue(mistakes.getFirst().startsWith("aux_data/aml/aml.yaml:1: "), mistakes::toString);
    }

    @Test
    void aFileThatIsTooLongOrNoTextIsRefused() throws IOException {
        var files = files().with(ConfigFolder.AML, "#".repeat(YamlFile.BYTES_MAX + 1));
        assertEquals(
                List.of("aux_data/aml/aml.yaml:1: is longer than the limit of 1024 KiB"),
                files.mistakes());
        Files.write(
                folder.resolve(ConfigFolder.AML), "env: ä".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(List.of("aux_data/aml/aml.yaml:1: is not text in UTF-8"), files.mistakes());
    }

    @Test
    void blocksCanBeRepeatedByName() throws ConfigException {
        var files =
                files().with(
                                ConfigFolder.AML,
                                """
                                engine: local
                                config_param:
                                  code_path: &ann
                                    storage: file:/shared/ann
                                    path: code.zip
                                  data_folder:
                                    path: data
                                    <<: *ann
                                  more_folder: {<<: [*ann], path: more}
                                """);
        ClusterConfig config = files.config();
        var ann = new Store.Folder(Path.of("/shared/ann"));
        assertEquals(new Mapped(ann, "data"), config.folders().get("data"));
        assertEquals(new Mapped(ann, "more"), config.folders().get("more"));
        assertEquals(List.of(), config.warnings());
    }

    @ParameterizedTest
    @ValueSource(strings = {"<<: 5", "<<: [5]", "<<: [[a]]"})
    void onlyBlocksCanBeRepeatedByName(String line) {
        List<String> mistakes = files().with(ConfigFolder.AML, SMALL + line + "\n").mistakes();
        assertTrue(
                mistakes.getFirst().startsWith("aux_data/aml/aml.yaml:4: << must name"),
                mistakes::toString);
    }

    @Test
    void linesMayEndAsOnOtherSystemsAndAMarkMayStandFirst() throws ConfigException {
        var files = files().with(ConfigFolder.AML, "\uFEFF" + SMALL.replace("\n", "\r\n"));
        assertEquals("code.zip", files.config().code().path());
    }

    @Test
    void valuesThatMultiplyThemselvesAreRefused() {
        var text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 6; i++) {
            text.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
        }
        List<String> mistakes = files().with(ConfigFolder.AML, text.toString()).mistakes();
        assertEquals(1, mistakes.size());
        assertTrue(mistakes.getFirst().endsWith("repeats too many values"), mistakes::toString);
    }

    @Test
    void allFilesAreFoundAndTheUsualOneIsMarked() throws IOException {
        var files =
                files().with(ConfigFolder.AML, SMALL)
                        .with("aux_data/aml/bad.yaml", SMALL + "gpu_per_node: x\n")
                        .with("aux_data/aml/config.json", "{}");
        List<FoundConfig> found = ConfigFinder.all(files.path(), files.environment());
        assertEquals(List.of("aml", "bad"), found.stream().map(FoundConfig::name).toList());
        assertTrue(found.getFirst().isUsual());
        assertTrue(found.getFirst().config().isPresent());
        assertEquals(Optional.empty(), found.getLast().config());
        assertEquals(1, found.getLast().mistakes().size());
    }

    @Test
    void aFileThatTheVariableNamesIsFoundFirst() throws IOException {
        var files = files().with(ConfigFolder.AML, SMALL).with("my/we.yaml", SMALL);
        files.variable(ConfigPlaces.VARIABLE, "my/we.yaml");
        List<FoundConfig> found = ConfigFinder.all(files.path(), files.environment());
        assertEquals(List.of("we", "aml"), found.stream().map(FoundConfig::name).toList());
        assertEquals(List.of(true, false), found.stream().map(FoundConfig::isUsual).toList());
    }
}
