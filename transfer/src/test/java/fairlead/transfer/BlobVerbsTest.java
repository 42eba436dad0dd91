package fairlead.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.storage.Transfer;
import fairlead.storage.azureblob.Azurite;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The same verbs on a real Azurite (A65 to A70, A25): {@code blob} by the account's key, {@code
 * signed} by a SAS, {@code second} in another account, {@code aml} in a folder.
 */
class BlobVerbsTest {
    private static final AtomicInteger COUNT = new AtomicInteger();
    @TempDir static Path blobs;
    private static Azurite azurite;

    @TempDir Path top;
    private Sandbox user;

    @BeforeAll
    static void anAzurite() throws IOException {
        azurite = Azurite.start(blobs);
    }

    @AfterAll
    static void stop() {
        if (azurite != null) azurite.close();
    }

    @BeforeEach
    void aUserWithBlobStores() throws Exception {
        user = new Sandbox(top);
        String container = "work" + COUNT.incrementAndGet();
        azurite.container(container);
        azurite.container(Azurite.SECOND_ACCOUNT, container);
        account("blob", Azurite.ACCOUNT, container, "account_key: " + Azurite.KEY);
        account("second", Azurite.SECOND_ACCOUNT, container, "account_key: " + Azurite.KEY);
        String sas = azurite.sas(Duration.ofHours(1), "rwdlac");
        account("signed", Azurite.ACCOUNT, container, "sas_token: '" + sas + "'");
    }

    private void account(String name, String account, String container, String secret)
            throws IOException {
        user.write(
                "aux_data/configs/" + name + "_account.yaml",
                "account_name: %s\ncontainer_name: %s\nendpoint: %s\n%s\n"
                        .formatted(account, container, azurite.endpoint(account), secret));
        String file = "azure_blob_config_file: aux_data/configs/" + name + "_account.yaml";
        user.write(
                "aux_data/aml/" + name + ".yaml",
                """
                engine: local
                config_param:
                  code_path: {%1$s, path: path/to/code.zip}
                  data_folder: {%1$s, path: path/to/data}
                """
                        .formatted(file));
    }

    private Sandbox.Result run(String verb, String cluster, String... paths) {
        var words = new java.util.ArrayList<>(List.of(verb, "--yes", "--cluster", cluster, "--"));
        words.addAll(List.of(paths));
        return user.run(words.toArray(String[]::new));
    }

    @Test
    void a24FoldersGoToABlobStoreAndBack() throws IOException {
        user.write("data/voc 20/part2", "12");
        user.write("data/voc 20/ü %41/part10", "3");
        user.write("data/voc 2007", "4");
        run("upload", "signed", "data/voc 20", "data/voc 2007").expect(0);
        String said = run("ls", "signed", "data/voc 20").expect(0).out();
        assertTrue(said.endsWith("total = 4\n"), said);
        assertTrue(said.contains("../voc 2007 "), said);
        Files.delete(user.here.resolve("data/voc 20/ü %41/part10"));
        run("download", "blob", "data/voc 20").expect(0);
        assertEquals("3", Files.readString(user.here.resolve("data/voc 20/ü %41/part10")));
    }

    @Test
    void a67DeletingLeavesSiblingsOfTheSamePrefix() throws IOException {
        for (String path : List.of("data/coco/a", "data/coco2017/a", "data/coco.txt"))
            user.write(path, "1");
        run("upload", "blob", "data").expect(0);
        run("rm", "blob", "data/coco").expect(0);
        String said = run("ls", "blob", "data").expect(0).out();
        assertTrue(said.contains("coco2017/a") && said.contains("coco.txt"), said);
        assertFalse(said.contains("coco/a"), said);
    }

    @Test
    void a69CopiesGoBetweenAccountsAndToAndFromFolders() throws IOException {
        user.write("data/voc/a", "12");
        user.write("data/voc/deep/b", "3");
        // Between blob stores the service copies what goes in pieces; elsewhere it stays.
        Files.write(user.here.resolve("data/voc/large"), new byte[Transfer.PIECE_BYTES + 1]);
        run("upload", "blob", "data/voc").expect(0);
        for (var pair : List.of("blob second", "second aml", "aml other", "other signed")) {
            String[] names = pair.split(" ");
            String said =
                    user.run(
                                    "upload",
                                    "--cluster",
                                    names[1],
                                    "--from_cluster",
                                    names[0],
                                    "--",
                                    "data/voc")
                            .expect(0)
                            .out();
            assertTrue(said.contains("copied data/voc from"), said);
            String total = run("ls", names[1], "data/voc").out();
            assertTrue(total.endsWith("total = " + (Transfer.PIECE_BYTES + 4) + "\n"), total);
            String again =
                    user.run(
                                    "upload",
                                    "--cluster",
                                    names[1],
                                    "--from_cluster",
                                    names[0],
                                    "--",
                                    "data/voc")
                            .expect(0)
                            .out();
            boolean isBetweenBlobs = pair.equals("blob second");
            assertTrue(isBetweenBlobs || again.contains("of which 0 B moved"), pair + ": " + again);
        }
        String said =
                user.run("upload", "--cluster", "blob", "--from_cluster", "blob", "--", "data/voc")
                        .expect(0)
                        .err();
        assertTrue(said.contains("is skipped"), said);
    }

    @Test
    void a70TheAddressReadsTheFileAndNothingElse() throws IOException {
        user.write("data/a b.txt", "hello");
        run("upload", "blob", "data/a b.txt").expect(0);
        String address = run("url", "blob", "data/a b.txt").expect(0).out().strip();
        try (var in = URI.create(address).toURL().openStream()) {
            assertEquals("hello", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertFalse(address.contains(Azurite.KEY));
    }

    @Test
    void onlyWhatHasChangedOfTheCodeTravels() throws IOException {
        for (int i = 0; i < 2_000; i++)
            user.write("src/m" + i + ".py", ("x = " + i * 7919L * i + "\n").repeat(50));
        String first = run("init", "blob").expect(0).out();
        assertFalse(first.contains("sent 0 B"), first);
        assertTrue(run("init", "blob").expect(0).out().contains("; sent 0 B to azureblob://"));
        user.write("src/m77.py", "changed = 1\n");
        String second = run("init", "blob").expect(0).out();
        assertTrue(second.matches("(?s).*sent [0-9]{2,3} KB to .*"), second);
        // Somebody else replaces the code: what is known here does not count.
        azurite.service(Azurite.ACCOUNT)
                .getBlobContainerClient("work" + COUNT.get())
                .getBlobClient("path/to/code.zip")
                .upload(com.azure.core.util.BinaryData.fromString("another's"), true);
        assertFalse(run("init", "blob").expect(0).out().contains("sent 0 B"));
        // As a folder's data, to see that the blob is a whole archive.
        user.write(
                "aux_data/aml/look.yaml",
                Files.readString(user.here.resolve("aux_data/aml/blob.yaml"))
                        .replace("path/to/data", "path/to"));
        run("download", "look", "data/code.zip").expect(0);
        try (var zip = new java.util.zip.ZipFile(user.here.resolve("data/code.zip").toFile())) {
            var content = zip.getInputStream(zip.getEntry("src/m77.py")).readAllBytes();
            assertEquals("changed = 1\n", new String(content, StandardCharsets.UTF_8));
            assertTrue(zip.size() > 2_000);
        }
    }

    @Test
    void aWrongKeyIsToldWithoutShowingIt() throws IOException {
        String wrong = "d3JvbmcgYnV0IGdvb2QgQmFzZTY0";
        account("blob", Azurite.ACCOUNT, "work" + COUNT.get(), "account_key: " + wrong);
        Sandbox.Result result = run("ls", "blob", "data/x").expect(4);
        assertFalse((result.err() + result.out()).contains(wrong), result.err());
    }
}
