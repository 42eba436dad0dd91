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
    void linksInsideAStoreAreFollowedByDownloadsAndOthersAreNamed() throws IOException {
        user.keep("v/step-1/a", "a");
        Path kept = user.store.resolve("path/to/data/v");
        Files.writeString(top.resolve("secret"), "no");
        Files.createSymbolicLink(kept.resolve("latest"), Path.of("step-1"));
        Files.createSymbolicLink(kept.resolve("file"), Path.of("step-1/a"));
        Files.createSymbolicLink(kept.resolve("out"), top.resolve("secret"));
        Files.createSymbolicLink(kept.resolve("home"), Path.of("/"));
        Files.createSymbolicLink(kept.resolve("gone"), Path.of("nowhere"));
        Files.createSymbolicLink(kept.resolve("step-1/loop"), Path.of(".."));
        Set<String> readable = Set.of("step-1/a", "latest/a", "file");
        Sandbox.Result result = user.run("download", "--", "data/v").expect(0);
        assertEquals(readable, Sandbox.files(user.here.resolve("data/v")));
        assertTrue(result.out().contains(": 3 files, "), result.out());
        String unreadable =
                " is left out: it is a link that leads out of the store or nowhere, or no file at"
                        + " all\n";
        for (String line :
                Set.of(
                        "data/v/out" + unreadable,
                        "data/v/home" + unreadable,
                        "data/v/gone" + unreadable,
                        "data/v/step-1/loop is left out: the link leads back to a folder that it is"
                                + " in\n",
                        "data/v/latest/loop is left out: the link leads back to a folder that it is"
                                + " in\n")) {
            assertEquals(1, result.err().split(line, -1).length - 1, result.err());
        }
        Sandbox.Result listed = user.run("ls", "--", "data/v").expect(0);
        for (String name : readable) assertTrue(listed.out().contains("\n" + name + " "), name);
        assertEquals(5, listed.out().lines().count(), listed.out());
        assertTrue(listed.err().contains("gone" + unreadable), listed.err());
    }

    /** No address has such a name, and one of them must not keep all others where they are. */
    @Test
    void aNameThatNoAddressHasIsLeftOutAndNamed() throws IOException {
        user.write("data/v/a", "a");
        user.write("data/v/tab\tname", "odd");
        user.write("data/v/line\nfolder/b", "odd");
        Sandbox.Result sent = user.run("upload", "--", "data/v").expect(0);
        Path kept = user.store.resolve("path/to/data/v");
        assertEquals(Set.of("a"), Sandbox.files(kept));
        for (String line :
                Set.of(
                        "data/v/tab?name is left out: its name has a control character\n",
                        "data/v/line?folder is left out: its name has a control character\n"))
            assertTrue(sent.err().contains(line), sent.err());
        user.keep("v/deep/tab\tname", "of a job");
        user.keep("v/deep/b", "b");
        String odd =
                " is left out: its name has a control character, or is none that a file can have";
        Files.delete(user.here.resolve("data/v/a"));
        Sandbox.Result came = user.run("download", "--", "data/v").expect(0);
        assertTrue(came.err().contains("data/v/deep/tab?name" + odd), came.err());
        assertEquals("a", Files.readString(user.here.resolve("data/v/a")));
        Sandbox.Result again = user.run("upload", "--", "data/v").expect(0);
        assertTrue(again.out().contains("of which 0 B moved"), again.out());
        Sandbox.Result listed = user.run("ls", "--", "data/v").expect(0);
        assertTrue(listed.err().contains("deep/tab?name" + odd), listed.err());
        assertTrue(listed.out().contains("\ndeep/b "), listed.out());
        assertTrue(
                user.run("ls", "--", "data/v/deep/t").err().contains("../tab?name" + odd),
                "a prefix");
        String deleted = user.run("rm", "--yes", "--", "data/v").expect(0).out();
        assertTrue(deleted.contains("(3 files, "), deleted);
        assertFalse(Files.exists(kept));
    }

    @Test
    void aLinkToAFolderOfAStoreIsDownloadedAsThatFolder() throws IOException {
        user.keep("v/step-1/a", "a");
        Path kept = user.store.resolve("path/to/data/v");
        Files.createSymbolicLink(kept.resolve("latest"), Path.of("step-1"));
        for (int time = 0; time < 2; time++) {
            user.run("download", "--", "data/v/latest").expect(0);
            assertEquals(Set.of("latest/a"), Sandbox.files(user.here.resolve("data/v")));
        }
        String listed = user.run("ls", "--", "data/v/latest").expect(0).out();
        assertTrue(listed.contains("\na "), listed);
        user.run("rm", "--yes", "--", "data/v/latest").expect(0);
        assertEquals(Set.of("step-1/a"), Sandbox.files(kept));
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
        String refused = user.runIn(below, "upload", "--", "../data/x").expect(2).err();
        assertTrue(refused.contains("a path begins in " + user.here + ", the folder"), refused);
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
