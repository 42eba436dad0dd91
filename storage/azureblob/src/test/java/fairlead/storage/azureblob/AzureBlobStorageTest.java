package fairlead.storage.azureblob;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Progress;
import fairlead.storage.Storage;
import fairlead.storage.StorageContract;
import fairlead.storage.StorageException;
import fairlead.storage.StorageProvider;
import fairlead.storage.Transfer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The contract on a real Azurite by a SAS, and what only Azure has: keys, marks and addresses. */
class AzureBlobStorageTest extends StorageContract {
    @TempDir static Path disk;
    private static Azurite azurite;
    private static int tests;
    private Storage storage;

    @BeforeAll
    static void start() throws Exception {
        azurite = Azurite.start(disk);
    }

    @AfterAll
    static void stop() {
        if (azurite != null) azurite.close();
    }

    @BeforeEach
    void open() throws Exception {
        Address root = azurite.container("test").child("root " + tests++);
        storage = new AzureBlobProvider().open(root, azurite.bySas());
    }

    @AfterEach
    void close() {
        if (storage != null) storage.close();
    }

    @Override
    protected Storage storage() {
        return storage;
    }

    /** Azure makes a slash of a backslash. */
    @Override
    protected boolean takes(String name) {
        return !name.contains("\\");
    }

    /** Some; {@link LargeFileTest} has more than one answer lists. */
    @Override
    protected int manyFiles() {
        return 100;
    }

    @Test
    void theProviderIsFoundByItsScheme() {
        var schemes =
                ServiceLoader.load(StorageProvider.class).stream()
                        .map(found -> found.get().scheme())
                        .toList();
        assertEquals(List.of("azureblob"), schemes);
    }

    @Test
    void theAccountKeyOpensTheSame() throws Exception {
        put("by SAS", "file with blank%20");
        try (var byKey = new AzureBlobProvider().open(storage.root(), azurite.byKey())) {
            new Transfer(byKey, Progress.NONE).copy(at("file with blank%20"), at("kopie größe"));
            byKey.delete(at("file with blank%20"));
        }
        assertEquals("by SAS", text("kopie größe"));
        assertEquals(List.of("kopie größe"), shown(at(), Storage.Depth.ALL));
    }

    @Test
    void aWrongSecretIsToldInOneLineWithoutTheSecret() throws Exception {
        Access right = azurite.byKey();
        String otherKey = "AAAA" + Azurite.KEY.substring(4);
        assertRefused(
                "the key of the account devstoreaccount1 is wrong",
                new Access("", Optional.of(otherKey), Optional.empty(), right.endpoint()));
        assertRefused(
                "is no Base64",
                new Access("", Optional.of("?!"), Optional.empty(), right.endpoint()));
        assertRefused(
                "has neither",
                new Access("", Optional.empty(), Optional.empty(), right.endpoint()));
        assertRefused("has ended at", azurite.bySas(azurite.sas(Duration.ofHours(-1), "rl")));
        assertRefused(
                "does not allow that: it lacks the rights to list (l), write",
                azurite.bySas(azurite.sas(Duration.ofHours(1), "r")));
        String forged = azurite.sas(Duration.ofHours(1), "rl").replaceFirst("sig=..", "sig=AA");
        assertRefused("is wrong or not valid now", azurite.bySas(forged));
    }

    private void assertRefused(String words, Access access) {
        assertTold(words, assertThrows(StorageException.class, () -> open(access)), access);
    }

    private void open(Access access) throws StorageException {
        new AzureBlobProvider().open(storage.root(), access).close();
    }

    private static void assertTold(String words, Throwable problem, Access access) {
        String message = problem.getMessage();
        assertTrue(message.contains(words), message);
        assertEquals(1, message.lines().count(), message);
        for (Throwable each = problem; each != null; each = each.getCause()) {
            assertFalse(String.valueOf(each.getMessage()).contains("sig="), each.getMessage());
            String secret = access.key().or(access::sas).orElse("no secret");
            assertFalse(String.valueOf(each.getMessage()).contains(secret), each.getMessage());
        }
        assertFalse(access.toString().contains("sig="), access.toString());
    }

    @Test
    void aSasThatMayOnlyReadIsToldSoWhenItWrites() throws Exception {
        Access reading = azurite.bySas(azurite.sas(Duration.ofHours(1), "rl"));
        try (var readOnly = new AzureBlobProvider().open(storage.root(), reading)) {
            var refusal =
                    assertThrows(
                            StorageException.class,
                            () -> readOnly.upload(InputStream.nullInputStream(), at("file")));
            assertTold("the SAS of the account devstoreaccount1 does not allow", refusal, reading);
        }
    }

    @Test
    void aMissingContainerHostOrEndpointIsTold() throws Exception {
        Access access = azurite.bySas();
        var none = Address.of("azureblob://devstoreaccount1/no-such");
        assertTold(
                "no such container",
                assertThrows(
                        StorageException.class, () -> new AzureBlobProvider().open(none, access)),
                access);
        int port;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        for (String endpoint :
                List.of(
                        "http://127.0.0.1:" + port + "/devstoreaccount1",
                        "http://nowhere.invalid/x")) {
            var away = new Access("", Optional.empty(), access.sas(), Optional.of(endpoint));
            String host = URI.create(endpoint).getAuthority();
            assertRefused(host, away);
        }
        for (String endpoint : List.of("ftp://x", "no address", "http://host/x?sig=secret")) {
            var wrong = new Access("", Optional.empty(), access.sas(), Optional.of(endpoint));
            assertRefused("endpoint", wrong);
        }
        assertThrows(
                StorageException.class,
                () -> new AzureBlobProvider().open(Address.of("azureblob://account"), access));
    }

    @Test
    void aSignedAddressReadsOneFileAndWritesNothing() throws Exception {
        put("for all", "a b%20c", "größe");
        assertTold(
                "takes the account_key of",
                assertThrows(
                        StorageException.class,
                        () -> storage.signedUrl(at("a b%20c", "größe"), Duration.ofDays(30))),
                azurite.bySas());
        try (var byKey = new AzureBlobProvider().open(storage.root(), azurite.byKey())) {
            URI url = byKey.signedUrl(at("a b%20c", "größe"), Duration.ofDays(30));
            try (var in = url.toURL().openStream()) {
                assertEquals("for all", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
            var put = (HttpURLConnection) url.toURL().openConnection();
            put.setRequestMethod("PUT");
            put.setDoOutput(true);
            put.setRequestProperty("x-ms-blob-type", "BlockBlob");
            put.getOutputStream().close();
            assertEquals(403, put.getResponseCode());
            assertThrows(
                    StorageException.class, () -> byKey.signedUrl(at("no"), Duration.ofDays(1)));
        }
        assertEquals("for all", text("a b%20c", "größe"));
    }

    @Test
    void foldersAreCopiedBetweenAccountsByAzureItself() throws Exception {
        put("one", "data", "größe %", "1");
        storage.makeFolder(at("data", "empty"));
        Address root = azurite.container(Azurite.SECOND_ACCOUNT, "other");
        try (var second =
                new AzureBlobProvider().open(root, azurite.byKey(Azurite.SECOND_ACCOUNT))) {
            new Transfer(second, Progress.NONE).copyFrom(storage, at("data"), root.child("copy"));
            try (var in = second.download(root.child("copy").child("größe %").child("1"))) {
                assertEquals("one", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
            assertTrue(second.stat(root.child("copy").child("empty")).orElseThrow().isFolder());
            // And back, from an account that is opened by its key.
            new Transfer(storage, Progress.NONE).copyFrom(second, root.child("copy"), at("back"));
            assertEquals("one", text("back", "größe %", "1"));
        }
    }

    @Test
    void aBlobThatVanishesBetweenListAndReadIsTold() throws Exception {
        put("x", "folder", "a");
        var transfer =
                new Transfer(
                        storage,
                        new Progress() {
                            @Override
                            public void moved(Address file, long bytes) {}

                            @Override
                            public void found(Address file, long bytes) throws StorageException {
                                storage.delete(file);
                            }
                        });
        var vanished =
                assertThrows(
                        StorageException.class,
                        () -> transfer.download(at("folder"), local.resolve("folder")));
        assertTold("there is no such blob, or no longer", vanished, azurite.bySas());
        assertEquals(0, local.resolve("folder").toFile().list().length);
    }

    @Test
    void whatOtherProgramsMadeIsSeenAndAFileBesideAFolderOfTheSameNameStays() throws Exception {
        var others = azurite.service(Azurite.ACCOUNT).getBlobContainerClient("test");
        String top = storage.root().name() + "/";
        for (String name : List.of("a", "a/b", "marked/", "a.txt"))
            others.getBlobClient(top + name).getBlockBlobClient().commitBlockList(List.of());
        assertEquals(List.of("a", "a.txt", "a/", "a/b", "marked/"), shown(at(), Storage.Depth.ALL));
        assertEquals(List.of("a", "a.txt", "a/", "marked/"), shown(at(), Storage.Depth.CHILDREN));
        storage.delete(at("a"));
        assertEquals(List.of("a.txt", "a/", "a/b", "marked/"), shown(at(), Storage.Depth.ALL));
    }

    @Test
    void aNameThatNoAddressHasIsPassedOverAndGoesWithItsFolder() throws Exception {
        var others = azurite.service(Azurite.ACCOUNT).getBlobContainerClient("test");
        String top = storage.root().name() + "/";
        for (String name : List.of("f/tab\tname", "f/a", "f/odd\tfolder/b"))
            others.getBlobClient(top + name).getBlockBlobClient().commitBlockList(List.of());
        assertEquals(List.of("f/", "f/a"), shown(at(), Storage.Depth.ALL));
        assertEquals(List.of("a"), shown(at("f"), Storage.Depth.CHILDREN));
        var leftOut = new ArrayList<String>();
        var progress =
                new Progress() {
                    @Override
                    public void moved(Address file, long bytes) {}

                    @Override
                    public void leftOut(Path file, String reason) {
                        leftOut.add(local.relativize(file).toString());
                    }
                };
        new Transfer(storage, progress).download(at("f"), local.resolve("f"));
        assertEquals(List.of("f/odd?folder/b", "f/tab?name"), leftOut.stream().sorted().toList());
        storage.delete(at("f"));
        assertEquals(Optional.empty(), storage.stat(at("f")));
    }

    @Test
    void aFileThatAzureCouldNotCallSoIsLeftOutOfAnUpload() throws Exception {
        Path source = Files.createDirectories(local.resolve("source"));
        Files.writeString(source.resolve("a"), "a");
        Files.writeString(source.resolve("back\\slash"), "b");
        new Transfer(storage, Progress.NONE).upload(source, at("copy"));
        assertEquals(List.of("a"), shown(at("copy"), Storage.Depth.ALL));
    }

    @Test
    void aFolderThatIsThereIsUploadedAgainOnlyWhereItDiffers() throws Exception {
        Path source = Files.createDirectories(local.resolve("source/sub")).getParent();
        for (String name : List.of("same", "sub/same", "longer", "other"))
            Files.writeString(source.resolve(name), "text");
        new Transfer(storage, Progress.NONE).upload(source, at("copy"));
        Files.writeString(source.resolve("longer"), "text and more");
        Files.writeString(source.resolve("other"), "abcd");
        var seen = new Counter();
        new Transfer(storage, seen).upload(source, at("copy"));
        assertEquals("text and more".length() + "abcd".length(), seen.moved());
        assertEquals(2 * "text".length(), seen.skipped());
        assertEquals(seen.found(), seen.moved() + seen.skipped());
        assertEquals(4, seen.finished());
        assertEquals("abcd", text("copy", "other"));
        assertEquals("text and more", text("copy", "longer"));
    }
}
