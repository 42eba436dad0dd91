package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.dialects.act.config.ConfigPlaces;
import fairlead.dialects.yaml.ConfigException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Config files of a folder above, and those that are only a part of others. */
class NearestConfigTest {
    private static final String SMALL =
            """
            engine: local
            config_param:
              code_path: {storage: 'file:/shared/ann', path: code.zip}
            """;

    @TempDir Path folder;

    private Path below() throws IOException {
        new ConfigFolder(folder).with("aux_data/aml/aml.yaml", SMALL);
        return Files.createDirectories(folder.resolve("src/models"));
    }

    @Test
    void aFileAboveCountsAsWithGit() throws IOException, ConfigException {
        Path below = below();
        assertEquals(folder, ConfigPlaces.root(below, Map.of()));
        assertEquals(folder, ConfigPlaces.root(folder, Map.of()));
        var config = ConfigFinder.find(below, Map.of(), Optional.empty()).orElseThrow();
        assertEquals(folder.resolve("aux_data/aml/aml.yaml"), config.file());
        assertEquals(1, ConfigFinder.all(below, Map.of()).size());
    }

    @Test
    void aFileOfAnotherAccountDoesNotCountAndIsTold() throws IOException {
        Path below = below();
        assertEquals(Optional.empty(), ConfigPlaces.foreign(below, Map.of()));
        String me = System.getProperty("user.name");
        System.setProperty("user.name", me.equals("nobody") ? "root" : "nobody");
        try {
            assertEquals(below, ConfigPlaces.root(below, Map.of()));
            assertEquals(
                    Optional.of(folder.resolve("aux_data")), ConfigPlaces.foreign(below, Map.of()));
            assertEquals(Optional.empty(), ConfigPlaces.foreign(folder, Map.of()));
        } finally {
            System.setProperty("user.name", me);
        }
    }

    @Test
    void theNearestCountsAndAFileOfTheVariableLeavesTheFolderAsItIs() throws IOException {
        Path below = below();
        new ConfigFolder(below).with("aux_data/aml/aml.yaml", SMALL);
        assertEquals(below, ConfigPlaces.root(below, Map.of()));
        Path deeper = Files.createDirectories(below.resolve("x"));
        assertEquals(below, ConfigPlaces.root(deeper, Map.of()));
        assertEquals(deeper, ConfigPlaces.root(deeper, Map.of(ConfigPlaces.VARIABLE, "a.yaml")));
        assertEquals(below, ConfigPlaces.root(deeper, Map.of(ConfigPlaces.VARIABLE, "")));
    }

    @Test
    void aFileThatIsOnlyTheBaseOfOthersIsNoMistake() throws IOException {
        var files =
                new ConfigFolder(folder)
                        .with("aux_data/aml/base.yaml", "gpu_per_node: 8\n")
                        .with("aux_data/aml/c1.yaml", "_base_: base.yaml\n" + SMALL)
                        .with("aux_data/aml/broken.yaml", "gpu_per_node: 8\n");
        List<FoundConfig> found = ConfigFinder.all(folder, Map.of());
        assertEquals(
                List.of("broken", "c1"),
                found.stream().map(FoundConfig::name).toList(),
                files::toString);
        assertEquals(8, found.getLast().config().orElseThrow().gpusPerNode());
    }

    @Test
    void filesThatLieOnEachOtherAreNamed() throws IOException {
        new ConfigFolder(folder)
                .with("aux_data/aml/b3.yaml", "_base_: b4.yaml\n")
                .with("aux_data/aml/b4.yaml", "_base_: b3.yaml\n")
                .with("aux_data/aml/c1.yaml", SMALL);
        List<FoundConfig> found = ConfigFinder.all(folder, Map.of());
        assertEquals(List.of("b3", "b4", "c1"), found.stream().map(FoundConfig::name).toList());
        assertEquals(
                List.of("aux_data/aml/b4.yaml:1: _base_ leads back to aux_data/aml/b3.yaml"),
                ConfigFolder.words(found.getFirst().mistakes()));
    }

    /** As jobs are: a list that called it otherwise would be about another. */
    @Test
    void a5ALinkIsListedAsWhatItLeadsTo() throws IOException, ConfigException {
        var files = new ConfigFolder(folder).with("aux_data/aml/c1.yaml", SMALL);
        Files.createSymbolicLink(folder.resolve(ConfigFolder.AML), Path.of("c1.yaml"));
        List<FoundConfig> found = ConfigFinder.all(folder, Map.of());
        assertEquals(List.of("c1"), found.stream().map(FoundConfig::name).toList());
        assertTrue(found.getFirst().isUsual());
        assertEquals("c1", files.find("aml").orElseThrow().name());
        assertEquals(Optional.of("c1"), ConfigFinder.called(folder, Map.of(), "aml"));
    }

    @Test
    void aFolderOfTheNodeMaySayHowLongFilesAreKept() throws ConfigException {
        var config =
                new ConfigFolder(folder)
                        .with(
                                ConfigFolder.AML,
                                SMALL
                                        + "  data_folder: {storage: 'file:/d', path: x,"
                                        + " blob_cache_timeout: 60}\n")
                        .config();
        assertEquals("file_cache_timeout=60", config.folders().get("data").fuse());
    }
}
