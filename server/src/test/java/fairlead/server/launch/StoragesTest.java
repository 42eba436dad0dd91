package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.storage.Address;
import fairlead.storage.StorageException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Which storage an address leads to, and where its jars are found. */
final class StoragesTest {
    @TempDir Path folder;

    @Test
    void aFolderOfThisMachineMustBeTheServersOwn() throws Exception {
        Path root = folder.resolve("files");
        var storages = new Storages(root);
        var refusal =
                assertThrows(
                        StorageException.class,
                        () -> storages.open(Address.of("file:/etc"), "ann"));
        assertEquals("file:/etc is outside of file:" + root, refusal.getMessage());
        assertFalse(Files.exists(root));
        try (var storage = storages.open(Address.of("file:" + root + "/code"), "ann")) {
            assertEquals("file:" + root, storage.root().toString());
        }
    }

    @Test
    void aSchemeWithoutAStorageIsToldWithThoseThatHaveOne() throws Exception {
        Path lib = Files.createDirectories(folder.resolve("lib/server")).getParent();
        var storages = new Storages(folder, lib);
        Address web = Address.of("http://host:9000/x");
        var refusal = assertThrows(StorageException.class, () -> storages.open(web, "ann"));
        String words = "this server has no storage for http: addresses, only for file:";
        assertEquals(words, refusal.getMessage());
        assertEquals(Optional.of(words), storages.refusal(web));
        assertEquals(Optional.empty(), storages.refusal(Address.of("file:" + folder + "/x")));
        assertEquals(
                Optional.of("file:/etc is outside of file:" + folder),
                storages.refusal(Address.of("file:/etc")));
        writeFakeJar();
        assertEquals(Optional.of(words + " and fake:"), storages.refusal(web));
        assertEquals(Optional.empty(), storages.refusal(Address.of("fake://host/x")));
    }

    private void writeFakeJar() throws IOException {
        Path jars = Files.createDirectories(folder.resolve("lib/fake"));
        try (var jar = new ZipOutputStream(Files.newOutputStream(jars.resolve("fake.jar")))) {
            jar.putNextEntry(new ZipEntry("META-INF/services/fairlead.storage.StorageProvider"));
            jar.write(FakeProvider.class.getName().getBytes(UTF_8));
        }
    }

    @Test
    void aProviderIsLoadedFromTheFolderOfItsScheme() throws Exception {
        writeFakeJar();
        var storages = new Storages(folder, folder.resolve("lib"));
        var away =
                assertThrows(
                        StorageException.class,
                        () -> storages.open(Address.of("fake://host:1/ann/code"), "ann"));
        assertEquals("fake://host:1/ is away", away.getMessage());
        assertEquals(List.of("ann fake://host:1/"), FakeProvider.ASKED);
    }
}
