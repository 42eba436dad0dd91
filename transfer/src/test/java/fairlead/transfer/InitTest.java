package fairlead.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.ZipFile;

/** Packing the code and uploading it (A25 to A28). */
class InitTest {
    @TempDir Path top;
    private Sandbox user;

    @BeforeEach
    void aFolderOfCode() throws IOException {
        user = new Sandbox(top);
        Files.delete(user.here.resolve("aux_data/aml/other.yaml"));
        user.write("train.py", "print(1)\n");
        user.write("src/model.py", "import torch\n");
    }

    private Path zip() {
        return user.store.resolve("path/to/code.zip");
    }

    private TreeSet<String> packed() throws IOException {
        user.run("init").expect(0);
        var names = new TreeSet<String>();
        try (var zip = new ZipFile(zip().toFile())) {
            zip.stream().forEach(entry -> names.add(entry.getName()));
        }
        return names;
    }

    private static TreeSet<String> names(String... names) {
        return new TreeSet<>(List.of(names));
    }

    @Test
    void a25TheFolderIsUploadedToCodePath() throws IOException {
        Sandbox.Result result = user.run("init").expect(0);
        assertTrue(result.out().startsWith("packed 3 files, "), result.out());
        assertTrue(result.out().endsWith(" to file:" + zip() + "\n"), result.out());
        assertEquals(names("aux_data/aml/aml.yaml", "src/model.py", "train.py"), packed());
    }

    @Test
    void a26DotfilesAtTheTopStayAndLinksAreLinks() throws IOException {
        user.write(".env", "SECRET=1");
        user.write("src/.settings", "x");
        Files.createSymbolicLink(user.here.resolve("latest"), Path.of("train.py"));
        assertEquals(
                names(
                        "aux_data/aml/aml.yaml",
                        "latest",
                        "src/.settings",
                        "src/model.py",
                        "train.py"),
                packed());
        try (var zip = new ZipFile(zip().toFile())) {
            var content = zip.getInputStream(zip.getEntry("latest")).readAllBytes();
            assertEquals("train.py", new String(content));
        }
    }

    @Test
    void a28WithoutZipOptionsTheUsualThingsStayOut() throws IOException {
        for (String path :
                List.of(
                        "assets/log",
                        "output/w.pt",
                        "data/x",
                        "visualization/x",
                        "wandb/x",
                        "src/__pycache__/model.pyc",
                        "src/fast.so",
                        "src/fast.o",
                        ".git/config",
                        "sub/.git/config",
                        "build/lib/x.py",
                        "x.egg-info/PKG-INFO",
                        "aux_data/configs/vigblob_account.yaml")) user.write(path, "x");
        user.write("dataset.py", "x");
        user.write("src/data/loader.py", "x");
        assertEquals(
                names(
                        "aux_data/aml/aml.yaml",
                        "aux_data/configs/",
                        "dataset.py",
                        "src/data/loader.py",
                        "src/model.py",
                        "sub/",
                        "train.py"),
                packed());
    }

    @Test
    void a28ZipOptionsReplaceTheUsualThings() throws IOException {
        user.config(
                "aml",
                user.store,
                """
                zip_options:
                    - '-x'
                    - '\\*src/py-faster-rcnn/\\*'
                    - '-x'
                    - '\\*src/CMC/\\*'
                """);
        user.write("src/py-faster-rcnn/a.py", "x");
        user.write("src/CMC/deep/b.py", "x");
        user.write("old/src/CMC/c.py", "x");
        user.write("src/CMCx/d.py", "x");
        user.write("src/fast.so", "x");
        user.write("assets/log", "x");
        user.write("data/huge", "x");
        assertEquals(
                names(
                        "assets/log",
                        "aux_data/aml/aml.yaml",
                        "old/src/",
                        "src/CMCx/d.py",
                        "src/fast.so",
                        "src/model.py",
                        "train.py"),
                packed());
    }

    @Test
    void accountFilesAreToldWhereverTheyAre() throws IOException {
        user.config("eu", user.store, "azure_blob_config_file: ./secrets/named\n");
        user.write("secrets/named", "x");
        user.write("conf/east.yaml", "account_name: east\naccount_key: k\n");
        user.write("conf/west.yml", "{account_name: west, 'sas_token': '?sv=1'}");
        user.write("aux_data/configs/north.yaml", "account_key: k\n");
        user.write("conf/model.yaml", "account_name: east\nlayers: 3\n");
        String said = user.run("init").expect(0).err();
        assertEquals(
                names(
                        "aux_data/configs/north.yaml",
                        "conf/east.yaml",
                        "conf/west.yml",
                        "secrets/named"),
                new TreeSet<>(
                        said.lines()
                                .filter(line -> line.contains("the account's secrets"))
                                .map(line -> line.replaceAll(".*warning: | goes into.*", ""))
                                .toList()),
                said);
    }

    @Test
    void aStoreThatIsNotThereIsToldWithTheCommandThatMakesIt() throws IOException {
        Path store = top.resolve("away");
        user.config("aml", store, "");
        String said = user.run("init").expect(4).err();
        assertTrue(said.contains("there is no " + store + ". If no disk has"), said);
        assertTrue(said.contains("make it: mkdir -p " + store + "\n"), said);
        assertTrue(Files.notExists(store));
    }

    @Test
    void inAFolderOfPhillyTheCommandPIsNamed() throws IOException {
        Files.delete(user.here.resolve("aux_data/aml/aml.yaml"));
        user.write("aux_data/configs/philly_vc.yaml", "engine: local\n");
        String said = user.run("init").expect(2).err();
        assertTrue(said.contains("philly_vc.yaml counts for 'fairlead p' alone; there is"), said);
    }

    @Test
    void whereAConfigFileIsMissingThoseThatAreThereAreNamed() throws IOException {
        user.config("eu", user.store, "");
        user.write("aux_data/configs/philly_vc.yaml", "engine: local\n");
        String none = "there is no aux_data/aml/%s.yaml here";
        for (String name : List.of("we", "eu.yaml", "aux_data/aml/eu.yaml")) {
            String said = user.run("init", "--cluster", name).expect(2).err();
            String hint =
                    name.equals("we")
                            ? "; -c may be aml, eu\n"
                            : name.contains("/")
                                    ? ": a config file is named without its folder and ending, -c"
                                            + " eu\n"
                                    : ": a config file is named without its ending, -c eu\n";
            String missing =
                    name.equals("we")
                            ? none.formatted(name)
                            : "there is no config file '" + name + "' here";
            assertEquals("fairlead: " + missing + hint, said);
        }
        String from = user.run("upload", "--from_cluster", "eu.yaml", "--", "data").expect(2).err();
        assertTrue(from.endsWith("without its ending, -f eu\n"), from);
        Files.delete(user.here.resolve("aux_data/aml/aml.yaml"));
        assertEquals(
                "fairlead: " + none.formatted("aml") + "; -c may be eu\n",
                user.run("init").expect(2).err());
        user.environment.put("AML_CONFIG_PATH", "");
        assertEquals(
                "fairlead: AML_CONFIG_PATH is empty, so no config file counts but one that -c"
                        + " names\n",
                user.run("init").expect(2).err());
        user.run("init", "--cluster", "eu").expect(0);
    }

    @Test
    void aClusterThatPhillysFileDoesNotNameIsToldWithThoseThatItDoes() throws IOException {
        user.write(
                "aux_data/configs/philly_vc.yaml",
                """
                engine: local
                cluster: wu1
                user_name: ann
                blob_mount_point: /blob
                storage: file:/shared
                config_param: {code_path: /blob/code.zip}
                """);
        assertEquals(
                "fairlead: aux_data/configs names no cluster 'nosuch', only wu1\n",
                user.run("init", "--philly", "--cluster", "nosuch").expect(2).err());
    }

    @Test
    void anOptionOfZipThatMeansSomethingElseIsRefused() throws IOException {
        user.config("aml", user.store, "zip_options: ['--delete', 'x']\n");
        String said = user.run("init").expect(2).err();
        assertTrue(said.contains("aml.yaml: zip_options may say which files"), said);
    }

    @Test
    void ignoreFilesLeaveOutAndFairleadignoreHasTheLastWord() throws IOException {
        user.write(".gitignore", "*.ckpt\n/tmp/\n");
        user.write(".fairleadignore", "!keep.ckpt\nnotes/\n!src/fast.so\n!.condarc\n");
        user.write("src/.gitignore", "!deep.ckpt\n");
        for (String path :
                List.of(
                        "a.ckpt",
                        "keep.ckpt",
                        "src/deep.ckpt",
                        "tmp/x",
                        "src/tmp/y",
                        "notes/z",
                        "src/fast.so",
                        ".condarc")) user.write(path, "x");
        assertEquals(
                names(
                        ".condarc",
                        "aux_data/aml/aml.yaml",
                        "keep.ckpt",
                        "src/.gitignore",
                        "src/deep.ckpt",
                        "src/fast.so",
                        "src/model.py",
                        "src/tmp/y",
                        "train.py"),
                packed());
    }

    @Test
    void aChangeOfAFileArrives() throws IOException {
        user.run("init").expect(0);
        user.write("train.py", "print(2)\n");
        user.run("initi").expect(0);
        try (var zip = new ZipFile(zip().toFile())) {
            var content = zip.getInputStream(zip.getEntry("train.py")).readAllBytes();
            assertEquals("print(2)\n", new String(content));
        }
    }

    @Test
    void anUnchangedFolderIsNotWrittenAgainUnlessSomebodyReplacedIt() throws IOException {
        user.run("init").expect(0);
        FileTime time = Files.getLastModifiedTime(zip());
        String said = user.run("init").expect(0).out();
        assertTrue(said.contains("; sent 0 B to "), said);
        assertEquals(time, Files.getLastModifiedTime(zip()));
        Files.writeString(zip(), "another's");
        said = user.run("init").expect(0).out();
        assertTrue(!said.contains("; sent 0 B to "), said);
        assertTrue(packed().contains("train.py"));
    }

    @Test
    void nothingToPackIsToldAndLeavesTheOldCode() throws IOException {
        user.run("init").expect(0);
        byte[] before = Files.readAllBytes(zip());
        user.write(".fairleadignore", "*\n");
        String said = user.run("init").expect(4).err();
        assertTrue(said.contains("everything is left out"), said);
        assertEquals(before.length, Files.readAllBytes(zip()).length);
    }

    @Test
    void a27CompilingRunsTheScriptInTheImageAndUploadsWhatItMade() throws IOException {
        user.config("aml", user.store, "docker: {image: 'amsword/setup:py36pt16'}\n");
        user.write("compile.aml.sh", "echo compiled > src/fast.so\n");
        // In the place of podman: runs in the mounted folder itself what the container would run.
        Path tools = Files.createDirectories(top.resolve("tools"));
        Path podman = tools.resolve("podman");
        Files.writeString(
                podman,
                """
                #!/bin/sh
                echo "$@" >%s/words
                cd "${4%%%%:*}" && shift 7 && exec "$@"
                """
                        .formatted(top));
        assertTrue(podman.toFile().setExecutable(true));
        user.environment.put("PATH", tools + ":" + System.getenv("PATH"));
        Sandbox.Result result = user.run("initc").expect(0);
        assertEquals(2, result.out().lines().count(), result.out());
        try (var zip = new ZipFile(zip().toFile())) {
            var content = zip.getInputStream(zip.getEntry("src/fast.so")).readAllBytes();
            assertEquals("compiled\n", new String(content));
        }
        String words = Files.readString(top.resolve("words"));
        assertTrue(words.contains("amsword/setup:py36pt16 sh -c"), words);
    }

    @Test
    void a27WithoutContainersTheCodeIsUploadedAsItIs() throws IOException {
        user.config("aml", user.store, "docker: {image: 'amsword/setup:py36pt16'}\n");
        user.write("compile.aml.sh", "exit 0\n");
        user.environment.put("PATH", top.toString());
        String said = user.run("initic").expect(4).err();
        assertTrue(said.contains("neither podman nor docker is on the PATH"), said);
        assertTrue(Files.exists(zip()));
    }
}
