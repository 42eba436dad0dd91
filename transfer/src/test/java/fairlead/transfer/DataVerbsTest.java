package fairlead.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The data verbs of ACT on stores that are folders (A65 to A70). */
class DataVerbsTest {
    @TempDir Path top;
    private Sandbox user;

    @BeforeEach
    void aUserWithTwoClusters() throws IOException {
        user = new Sandbox(top);
    }

    @ParameterizedTest(name = "A65: ''{0}'' is refused: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "../data/x     | leads upwards by '..'",
                "data/../../x  | leads upwards by '..'",
                "data/..       | leads upwards by '..'",
                "models/x      | needs models_folder in config_param",
                "/etc/passwd   | needs etc_folder in config_param",
                "/             | names no folder",
                ".             | names no folder",
                "''            | names no folder",
            })
    void aPathThatCannotBeMeantIsRefused(String path, String why) throws IOException {
        user.keep("x", "kept");
        for (String verb : List.of("ls", "upload", "download", "rm", "url")) {
            Sandbox.Result result = user.run(verb, "--yes", "--", "data/x", path).expect(2);
            assertTrue(result.err().contains(why), result.err());
        }
        assertEquals("kept", Files.readString(user.store.resolve("path/to/data/x")));
    }

    @Test
    void a65TheRefusalNamesTheFoldersThatThereAre() {
        String said = user.run("ls", "--", "datum/x").expect(2).err();
        assertTrue(said.contains("which has data_folder, output_folder"), said);
    }

    @ParameterizedTest(name = "A65: {0}")
    @ValueSource(strings = {"data/x", "./data/x", "/data/x", "data//x", ".//data/./x"})
    void slashesAndDotsInFrontCountForNothing(String path) throws IOException {
        user.write("data/x", "hello");
        user.run("upload", "--", path).expect(0);
        assertEquals("hello", Files.readString(user.store.resolve("path/to/data/x")));
    }

    @Test
    void a65AnAbsolutePathBelowTheFolderIsTheSameFile() throws IOException {
        user.write("data/x", "hello");
        user.run("upload", "--", user.here + "/data/x").expect(0);
        assertEquals("hello", Files.readString(user.store.resolve("path/to/data/x")));
    }

    @Test
    void severalPathsAreLookedAtBeforeTheFirstIsTouched() throws IOException {
        user.write("data/x", "hello");
        assertTrue(
                user.run("upload", "--", "data/x", "data/none").expect(2).err().contains("none"));
        assertFalse(Files.exists(user.store.resolve("path/to/data/x")));
        user.keep("y", "here");
        user.run("download", "--", "data/y", "data/none").expect(4);
        assertFalse(Files.exists(user.here.resolve("data/y")));
    }

    @Test
    void a66ListingShowsWhatBeginsWithThePrefixInNaturalOrder() throws IOException {
        for (String name : List.of("voc20/part10", "voc20/part9", "voc2007/a", "voc", "coco/b"))
            user.keep(name, "12345");
        String said = user.run("ls", "--", "data/voc20").expect(0).out();
        List<String> names = said.lines().map(line -> line.split(" +")[0]).toList();
        assertEquals(List.of("name", "../voc2007/a", "part9", "part10", "total"), names);
        assertTrue(said.endsWith("total = 15\n"), said);
        assertTrue(
                said.startsWith("name          size_in_bytes  creation_time        last_modified"),
                said);
    }

    @Test
    void a66APrefixWithASlashShowsThatFolderAlone() throws IOException {
        user.keep("voc20/a", "1");
        user.keep("voc20x/b", "22");
        assertTrue(user.run("ls", "--", "data/voc20/").expect(0).out().endsWith("total = 1\n"));
        assertTrue(user.run("ls", "--", "data").expect(0).out().contains("voc20x/b"));
        assertEquals("total = 0\n", user.run("ls", "--", "data/none").expect(0).out());
    }

    @Test
    void a67DeletingTakesTheNamedFolderAndNoSibling() throws IOException {
        user.keep("coco/a", "1");
        user.keep("coco/deep/b", "2");
        user.keep("coco2017/a", "3");
        user.keep("coco.txt", "4");
        Sandbox.Result result = user.run("rm", "--yes", "--", "data/coco").expect(0);
        assertTrue(result.out().startsWith("deleted data/coco (2 files, 2 B) from file:"));
        assertEquals(
                List.of("coco.txt", "coco2017/a"),
                List.copyOf(Sandbox.files(user.store.resolve("path/to/data"))));
    }

    @Test
    void deletingIsNotDoneWhereNobodyCanBeAsked() throws IOException {
        user.keep("coco/a", "1");
        assertTrue(user.run("rm", "--", "data/coco").expect(2).err().contains("'-y'"));
        assertEquals(1, Sandbox.files(user.store).size());
    }

    @ParameterizedTest(name = "the answer ''{0}'' deletes: {1}")
    @CsvSource({"y,true", "Yes,true", "n,false", "'',false", "yep,false"})
    void deletingAsksFirst(String answer, boolean deletes) throws IOException {
        user.keep("coco/a", "1");
        user.isTerminal = true;
        user.typed = answer + "\n";
        String asked = user.run("rm", "--", "data/coco").expect(0).err();
        assertTrue(asked.startsWith("delete data/coco (1 file, 1 B) from file:"), asked);
        assertTrue(asked.contains("? [y/N] "), asked);
        assertEquals(deletes, Sandbox.files(user.store).isEmpty());
    }

    @Test
    void deletingNothingIsToldAndDeletesNothingElse() throws IOException {
        user.keep("coco/a", "1");
        String said = user.run("rm", "--yes", "--", "data/coco", "data/none").expect(4).err();
        assertTrue(said.contains("there is no data/none to delete"), said);
        assertEquals(1, Sandbox.files(user.store).size());
    }

    @Test
    void a68FilesAndFoldersAreToldApartByThemselves() throws IOException {
        user.write("data/voc/a", "1");
        user.write("data/voc/deep/ü %20", "22");
        user.write("data/one.txt", "333");
        String said = user.run("upload", "--", "data/voc", "data/one.txt").expect(0).out();
        assertTrue(said.contains("uploaded data/voc to file:"), said);
        Path there = user.store.resolve("path/to/data");
        assertEquals(
                List.of("one.txt", "voc/a", "voc/deep/ü %20"), List.copyOf(Sandbox.files(there)));
        Files.delete(user.here.resolve("data/one.txt"));
        Files.delete(user.here.resolve("data/voc/deep/ü %20"));
        user.run("download", "--", "data/voc", "data/one.txt").expect(0);
        assertEquals("22", Files.readString(user.here.resolve("data/voc/deep/ü %20")));
        assertEquals("333", Files.readString(user.here.resolve("data/one.txt")));
    }

    @Test
    void aDownloadMakesTheFoldersThatItNeeds() throws IOException {
        user.keep("deep/er/x", "1");
        user.run("download", "--", "data/deep/er/x").expect(0);
        assertEquals("1", Files.readString(user.here.resolve("data/deep/er/x")));
    }

    @Test
    void whatIsNotThereCannotBeMoved() {
        assertTrue(user.run("upload", "--", "data/x").expect(2).err().contains("no data/x"));
        assertTrue(user.run("download", "--", "data/x").expect(4).err().contains("no data/x"));
    }

    @Test
    void aFileAndAFolderDoNotReplaceEachOther() throws IOException {
        user.write("data/x/a", "1");
        user.keep("x", "file");
        String said = user.run("download", "--", "data/x").expect(4).err();
        assertTrue(said.contains("data/x is a folder here"), said);
        assertEquals("1", Files.readString(user.here.resolve("data/x/a")));
    }

    @Test
    void a8a69CopiesGoFromTheOtherClustersStore() throws IOException {
        user.keep("voc/a", "1");
        user.keep("voc/deep/b", "22");
        user.keep("voc2", "333");
        String said =
                user.run("upload", "--cluster", "other", "--from_cluster", "aml", "--", "data/voc")
                        .expect(0)
                        .out();
        assertTrue(said.contains("2 files, 3 B"), said);
        assertEquals(
                List.of("a", "deep/b"),
                List.copyOf(Sandbox.files(user.otherStore.resolve("path/to/data/voc"))));
        Files.delete(user.otherStore.resolve("path/to/data/voc/a"));
        String again =
                user.run("upload", "--cluster", "other", "--from_cluster", "aml", "--", "data/voc")
                        .expect(0)
                        .out();
        assertTrue(again.contains("2 files, 3 B, of which 1 B moved"), again);
    }

    @Test
    void a69TheSameSourceAndTargetIsSkipped() throws IOException {
        user.keep("voc/a", "1");
        String said = user.run("upload", "--from_cluster", "aml", "--", "data/voc").expect(0).err();
        assertTrue(said.contains("data/voc is skipped: both clusters keep it at file:"), said);
        assertEquals(1, Sandbox.files(user.store).size());
    }

    @Test
    void a70AStoreWithoutSignaturesSaysSo() throws IOException {
        user.keep("x", "1");
        assertTrue(user.run("url", "--", "data/x").expect(4).err().contains("file:"));
    }

    @Test
    void aFolderWithoutAConfigFileIsToldHowToMakeOne() throws IOException {
        Files.delete(user.here.resolve("aux_data/aml/aml.yaml"));
        Files.delete(user.here.resolve("aux_data/aml/other.yaml"));
        for (List<String> words : List.of(List.of("init"), List.of("ls", "--", "data/x"))) {
            String said = user.run(words.toArray(String[]::new)).expect(2).err();
            assertTrue(said.contains("there is no aux_data/aml/aml.yaml here"), said);
            assertTrue(said.contains("  engine: local\n  config_param:\n"), said);
        }
        assertTrue(
                user.run("ls", "--cluster", "eu", "--", "data/x")
                        .expect(2)
                        .err()
                        .contains("aux_data/aml/eu.yaml"));
    }

    @Test
    void aMistakeInAConfigFileIsToldWithItsLine() throws IOException {
        user.write("aux_data/aml/aml.yaml", "engine: local\nconfig_param:\n  data_folder: 7\n");
        String said = user.run("ls", "--", "data/x").expect(2).err();
        assertTrue(said.contains("aux_data/aml/aml.yaml:3: "), said);
    }

    @Test
    void aStoreThatIsNotMountedIsTold() throws IOException {
        user.config("aml", top.resolve("unmounted"), "");
        String said = user.run("ls", "--", "data/x").expect(4).err();
        assertTrue(said.contains("unmounted"), said);
        assertFalse(said.contains("Exception"), said);
    }
}
