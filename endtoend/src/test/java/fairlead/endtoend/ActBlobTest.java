package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;

import fairlead.storage.azureblob.Azurite;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** ACT's submit with code and data in a container of Azure Blob, which a real Azurite is here. */
class ActBlobTest {
    private static final String CONFIG =
            """
            engine: local
            config_param:
              code_path: {azure_blob_config_file: ACCOUNT, path: ann/code one.zip}
              data_folder: {azure_blob_config_file: ACCOUNT, path: ann/data}
              output_folder: {azure_blob_config_file: ACCOUNT, path: ann/output}
            """;

    private static final String TRAIN =
            """
            import sys
            words = open('data/voc 20/ü.txt', encoding='utf-8').read()
            open('output/' + sys.argv[1], 'w').write(words + ' was read')
            """;

    @TempDir static Path folder;
    private static Azurite azurite;
    private static BlobContainerClient container;
    private static Installation fairlead;
    private static Path work;

    @BeforeAll
    static void start() throws IOException {
        azurite = Azurite.start(folder.resolve("azurite"));
        container = azurite.service(Azurite.ACCOUNT).createBlobContainerIfNotExists("vision-data");
        container.getBlobClient("ann/code one.zip").upload(BinaryData.fromBytes(archive()));
        container.getBlobClient("ann/data/voc 20/ü.txt").upload(BinaryData.fromString("a picture"));
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 4", "stop-grace = 1s");
        work = folder.resolve("work");
        Files.createDirectories(work.resolve("aux_data/aml"));
        Files.createDirectories(work.resolve("aux_data/configs"));
        cluster("key", "account_key: " + Azurite.KEY);
        cluster("sas", "sas_token: '" + azurite.sas(Duration.ofHours(1), "rwdlac") + "'");
        cluster("ended", "sas_token: '" + azurite.sas(Duration.ofHours(-1), "rwdlac") + "'");
    }

    @AfterAll
    static void stop() {
        if (fairlead != null) fairlead.close();
        if (azurite != null) azurite.close();
    }

    private static byte[] archive() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("train.py"));
            zip.write(TRAIN.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    /** A config file, and an account file that opens the container by one line alone. */
    private static void cluster(String name, String opening) throws IOException {
        String file = "aux_data/configs/" + name + "_account.yaml";
        Files.writeString(
                work.resolve(file),
                """
                account_name: %s
                %s
                container_name: vision-data
                endpoint: %s
                """
                        .formatted(Azurite.ACCOUNT, opening, azurite.endpoint()));
        Files.writeString(
                work.resolve("aux_data/aml/" + name + ".yaml"), CONFIG.replace("ACCOUNT", file));
    }

    private static Installation.Result type(String line) {
        return fairlead.type("cd '%s'\nalias a=fairlead\n%s".formatted(work, line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"key", "sas"})
    void a14AKeyOrASignatureAloneBringsCodeAndDataAndKeepsTheOutput(String cluster) {
        String id =
                type("a -c " + cluster + " -n 1 submit python3 train.py by-" + cluster)
                        .expect(0)
                        .out()
                        .strip();
        assertEquals(0, fairlead.run("wait", id).code(), fairlead.run("logs", id)::out);
        assertEquals(
                "a picture was read",
                container.getBlobClient("ann/output/by-" + cluster).downloadContent().toString());
    }

    @Test
    void noAnswerAndNoLogShowsWhatOpensTheContainer() throws IOException {
        String id = type("a -c key -n 1 submit env").expect(0).out().strip();
        fairlead.run("wait", id).expect(0);
        String shown =
                fairlead.run("spec", id).out()
                        + fairlead.run("describe", id, "--json").out()
                        + fairlead.run("query", id).out()
                        + fairlead.run("list", "--all", "--json").out()
                        + fairlead.run("server", "logs").out();
        assertTrue(shown.contains("FAIRLEAD_ACT_SAS_0"), shown);
        assertFalse(shown.contains("sig="), shown);
        String all = shown + fairlead.run("logs", id).out();
        assertFalse(all.contains(Azurite.KEY), "the key has left the laptop");
    }

    @Test
    void aSignatureThatHasEndedIsToldBeforeAnythingIsSent() {
        String problem = type("a -c ended submit ls").expect(2).err();
        assertTrue(
                problem.contains(
                        "the sas_token for azureblob://devstoreaccount1/vision-data ended at"),
                problem);
        assertFalse(problem.contains("sig="), problem);
    }

    @Test
    void theFilesAreListedWithTheirContainers() {
        String clusters = type("a clusters").expect(0).out();
        assertTrue(
                clusters.contains("azureblob://devstoreaccount1/vision-data/ann/code one.zip"),
                clusters);
        assertFalse(clusters.contains("sig="), clusters);
    }
}
