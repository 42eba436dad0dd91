package fairlead.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Set;

/** Folders with links on their way up, and downloads that are repeated. */
class LinkedAndRepeatedTest {
    @TempDir Path top;
    private Sandbox user;

    @BeforeEach
    void aUser() throws IOException {
        user = new Sandbox(top);
    }

    private void link(String name, String target) throws IOException {
        Path link = user.here.resolve(name);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(target));
    }

    @Test
    void linksInsideTheFolderAreFollowedAndOthersAreNamed() throws IOException {
        user.write("secret", "no");
        user.write("data/v/real/a", "a");
        user.write("data/v/b", "b");
        link("data/v/file", "real/a");
        link("data/v/folder", "real");
        link("data/v/gone", "nowhere");
        link("data/v/out", "../../secret");
        link("data/v/home", "/");
        link("data/v/real/loop", "..");
        Sandbox.Result result = user.run("upload", "--", "data/v").expect(0);
        assertEquals(
                Set.of("real/a", "b", "file", "folder/a"),
                Sandbox.files(user.store.resolve("path/to/data/v")));
        assertEquals("a", Files.readString(user.store.resolve("path/to/data/v/folder/a")));
        assertTrue(result.out().contains(": 4 files, "), result.out());
        for (String line :
                Set.of(
                        "data/v/gone is left out: the link leads nowhere\n",
                        "data/v/out is left out: the link leads out of the folder\n",
                        "data/v/home is left out: the link leads out of the folder\n",
                        "data/v/real/loop is left out: the link leads back to a folder that it is"
                                + " in\n")) {
            assertEquals(1, result.err().split(line, -1).length - 1, result.err());
        }
    }

    @Test
    void theFolderItselfMayBeALink() throws IOException {
        Path elsewhere = Files.createDirectories(top.resolve("disk/voc20"));
        Files.writeString(elsewhere.resolve("a"), "a");
        link("data", elsewhere.getParent().toString());
        user.run("upload", "--", "data/voc20").expect(0);
        link("data/again", "voc20");
        user.run("upload", "--", "data/again").expect(0);
        assertEquals(
                Set.of("voc20/a", "again/a"), Sandbox.files(user.store.resolve("path/to/data")));
    }

    @Test
    void whatWasUploadedStaysOnBothSides() throws IOException {
        for (int i = 0; i < 20; i++) user.write("data/many/" + i, "x".repeat(1_000));
        String first = user.run("upload", "--", "data/many").expect(0).out();
        assertTrue(first.contains("20 files, 20 KB, of which 20 KB moved"), first);
        String second = user.run("upload", "--", "data/many").expect(0).out();
        assertTrue(second.contains("20 files, 20 KB, of which 0 B moved"), second);
        String back = user.run("download", "--", "data/many").expect(0).out();
        assertTrue(back.contains("20 files, 20 KB, of which 0 B moved"), back);
        Path changed = user.write("data/many/5", "z".repeat(1_000));
        Files.setLastModifiedTime(changed, FileTime.fromMillis(1_000));
        String third = user.run("upload", "--", "data/many").expect(0).out();
        assertTrue(third.contains("20 files, 20 KB, of which 1.0 KB moved"), third);
        assertEquals(
                "z".repeat(1_000), Files.readString(user.store.resolve("path/to/data/many/5")));
    }

    @Test
    void aRepeatedDownloadMovesOnlyWhatIsNotHere() throws IOException {
        for (int i = 0; i < 20; i++) user.keep("many/" + i, "x".repeat(1_000));
        String first = user.run("download", "--", "data/many").expect(0).out();
        assertTrue(first.contains("20 files, 20 KB, of which 20 KB moved"), first);
        String second = user.run("download", "--", "data/many").expect(0).out();
        assertTrue(second.contains("20 files, 20 KB, of which 0 B moved"), second);
        Files.delete(user.here.resolve("data/many/3"));
        Files.writeString(user.here.resolve("data/many/4"), "y".repeat(1_000));
        Path changed = user.keep("many/5", "z".repeat(1_000));
        Files.setLastModifiedTime(changed, FileTime.fromMillis(1_000));
        String third = user.run("download", "--", "data/many").expect(0).out();
        assertTrue(third.contains("20 files, 20 KB, of which 3.0 KB moved"), third);
        assertEquals("z".repeat(1_000), Files.readString(user.here.resolve("data/many/5")));
        assertEquals("x".repeat(1_000), Files.readString(user.here.resolve("data/many/4")));
    }

    @Test
    void belowTheFolderOfTheConfigPathsBeginAtItsTop() throws IOException {
        user.write("data/x", "hello");
        Path below = Files.createDirectories(user.here.resolve("src"));
        Sandbox.Result result = user.runIn(below, "upload", "--", "data/x").expect(0);
        assertTrue(result.err().contains("this is about " + user.here), result.err());
        assertEquals("hello", Files.readString(user.store.resolve("path/to/data/x")));
    }

    @Test
    void whatIsNoFileIsToldAsThat() throws Exception {
        user.write("data/x", "hello");
        String pipe = user.here.resolve("data/pipe").toString();
        assertEquals(0, new ProcessBuilder("mkfifo", pipe).start().waitFor());
        Sandbox.Result result = user.run("upload", "--", "data/x", "data/pipe").expect(2);
        assertTrue(result.err().contains("data/pipe is no file and no folder"), result.err());
        assertEquals(Set.of(), Sandbox.files(user.store));
    }

    @Test
    void logsThatWereKeptInAFolderBelowAreToldBeforeTheyArePacked() throws IOException {
        user.write("train.py", "pass");
        user.write("web/assets/logo.txt", "a picture");
        assertEquals("", user.run("init").expect(0).err());
        user.write("src/assets/job_1_0000abcd/log_status.yaml", "status: Failed");
        user.write("src/assets/job_1_0000abcd/azureml-logs/70_driver_log_rank_0.txt", "epoch 1");
        String said = user.run("init").expect(0).err();
        assertEquals(
                "fairlead: warning: src/assets goes into the code with 2 files; it is where 'query'"
                        + " keeps logs\n",
                said);
    }

    @Test
    void secretsAndLogsThatGoIntoTheCodeAreToldBeforehand() throws IOException {
        user.write("train.py", "pass");
        user.write("assets/job/log.txt", "epoch 1");
        user.write("aux_data/configs/vig.yaml", "account_name: a\naccount_key: c2VjcmV0\n");
        user.write("aux_data/configs/other.yaml", "account_key: # none\n");
        user.config("bare", user.store, "zip_options: ['-x', 'nothing']\n");
        String said = user.run("init", "--cluster", "bare").expect(0).err();
        assertTrue(said.contains("warning: assets goes into the code with 1 file;"), said);
        assertTrue(said.contains("warning: aux_data/configs/vig.yaml goes into the code"), said);
        assertFalse(said.contains("other.yaml"), said);
        user.write(".fairleadignore", "/assets\n/aux_data\n");
        assertEquals("", user.run("init", "--cluster", "bare").expect(0).err());
    }
}
