package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses as people write them. */
class AddressTest {
    @ParameterizedTest
    @CsvSource({
        "file:/shared/code, file:/shared/code",
        "file:///shared//code/, file:/shared/code",
        "file:/, file:/",
        "hdfs://host:9000/a b/c%20d, hdfs://host:9000/a b/c%20d",
        "hdfs://host:9000, hdfs://host:9000/",
        "hdfs://[::1]:9000/x, hdfs://[::1]:9000/x",
        "file://box/x, file://box/x"
    })
    void anAddressIsReadAndShown(String text, String shown) throws StorageException {
        assertEquals(shown, Address.of(text).toString());
        assertEquals(Address.of(text), Address.of(shown));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/shared/code",
                "code",
                "file:",
                "file:code",
                "FILE:/x",
                "hdfs://user@host/x",
                "file:/a/../b",
                "file:/a/./b",
                "file:/a/..",
                "file:/a\nb",
                "file:/a\0b"
            })
    void whatIsNoAddressIsRefusedInOneLine(String text) {
        var refusal = assertThrows(StorageException.class, () -> Address.of(text));
        assertFalse(refusal.getMessage().contains("\n"), refusal.getMessage());
    }

    @Test
    void anAddressIsNotWithoutEnd() {
        assertThrows(StorageException.class, () -> Address.of("file:/" + "a".repeat(5_000)));
        assertThrows(StorageException.class, () -> Address.of("file:/" + "a".repeat(4_091)));
        assertDoesNotThrow(() -> Address.of("file:/" + "a".repeat(4_090)));
    }

    @Test
    void aRefusalShowsWhatWasRefused() {
        var refusal = assertThrows(StorageException.class, () -> Address.of("co\tde"));
        assertTrue(refusal.getMessage().endsWith("'co?de'"), refusal.getMessage());
    }

    @Test
    void aChildIsInItsFolderAndASiblingOfTheSamePrefixIsNot() throws StorageException {
        Address folder = Address.of("hdfs://host:1/a/data");
        assertTrue(folder.isIn(folder));
        assertTrue(folder.child("x").isIn(folder));
        assertEquals(folder, folder.child("x").parent());
        assertFalse(Address.of("hdfs://host:1/a/data2").isIn(folder));
        assertFalse(Address.of("hdfs://host:1/a").isIn(folder));
        assertFalse(Address.of("hdfs://host:2/a/data").isIn(folder));
        assertFalse(Address.of("file:/a/data").isIn(folder));
        assertThrows(StorageException.class, () -> folder.child(".."));
        assertThrows(StorageException.class, () -> folder.child("x/y"));
    }
}
