package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Which local file counts as the copy of a file in a storage. */
class LocalCopyTest {
    private static final Instant THEN = Instant.parse("2026-03-01T12:00:00.123Z");
    private static final String TEXT = "0123456789";

    @TempDir Path folder;

    private static String md5(String text) {
        return Base64.getEncoder().encodeToString(Verifier.md5().digest(text.getBytes(UTF_8)));
    }

    private static Entry entry(String md5) throws StorageException {
        Address address = Address.of("memory:/file");
        return new Entry(address, Entry.Kind.FILE, TEXT.length(), THEN, md5, Optional.empty());
    }

    private LocalCopy copy(String local, String md5) throws Exception {
        return new LocalCopy(entry(md5), Files.writeString(folder.resolve("file"), local));
    }

    private void setTime(Instant time) throws Exception {
        Files.setLastModifiedTime(folder.resolve("file"), FileTime.from(time));
    }

    /** A file that was written in these parts. */
    private record Written(List<Part> parts) implements Content {
        @Override
        public long bytes() {
            return TEXT.length();
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public String md5() {
            return "";
        }

        @Override
        public InputStream read(long offset, long bytes) throws StorageException {
            throw new StorageException("it is not read to be compared");
        }
    }

    private static Content.Part part(String text) {
        var checksum = new Checksum();
        checksum.update(text.getBytes(UTF_8), 0, text.length());
        return new Content.Part(checksum.id(), text.length());
    }

    private static final Content SUMS = new Written(List.of(part("0123"), part("456789")));

    @Test
    void anMd5DecidesWhateverTheTimesAre() throws Exception {
        assertTrue(copy(TEXT, md5(TEXT)).isSame());
        LocalCopy other = copy("0123456780", md5(TEXT));
        setTime(THEN);
        assertFalse(other.isSame());
        assertFalse(copy(TEXT + TEXT, md5(TEXT)).isSame(), "another size");
    }

    @Test
    void withoutOneTheTimeDecidesToTheMillisecond() throws Exception {
        LocalCopy copy = copy(TEXT, "");
        setTime(THEN);
        assertTrue(copy.isSame());
        setTime(THEN.plusMillis(1));
        assertFalse(copy.isSame());
        LocalCopy longer = copy(TEXT + TEXT, "");
        setTime(THEN);
        assertFalse(longer.isSame(), "another size");
    }

    @Test
    void whatIsMissingOrNoFileIsNoCopy() throws Exception {
        var missing = new LocalCopy(entry(""), folder.resolve("missing"));
        assertFalse(missing.isSame());
        assertFalse(missing.isSame(SUMS));
        assertFalse(new LocalCopy(entry(""), folder).isSame());
    }

    @Test
    void theChecksumsOfAllPartsDecideWhereThereAreSome() throws Exception {
        assertTrue(copy(TEXT, "").isSame(SUMS));
        for (String other : List.of("x123456789", "012345678x", TEXT + TEXT)) {
            LocalCopy copy = copy(other, "");
            setTime(THEN);
            assertFalse(copy.isSame(SUMS), other);
        }
    }

    @Test
    void partsWithoutChecksumsDecideNothing() throws Exception {
        var unknown = new Content.Part("of-another-program", 6);
        for (var parts : List.of(List.<Content.Part>of(), List.of(part("0123"), unknown))) {
            var content = new Written(parts);
            LocalCopy copy = copy(TEXT, "");
            assertFalse(copy.isSame(content), "not of that time");
            setTime(THEN);
            assertTrue(copy.isSame(content));
            assertTrue(copy(TEXT, md5(TEXT)).isSame(content));
            assertFalse(copy("0123456780", md5(TEXT)).isSame(content));
        }
    }

    @Test
    void aCopyTakesTheTimeOverWhereNothingElseCouldTell() throws Exception {
        LocalCopy without = copy(TEXT, "");
        assertFalse(without.isSame());
        without.stamp();
        assertTrue(without.isSame());
        LocalCopy with = copy(TEXT, md5(TEXT));
        setTime(Instant.EPOCH);
        with.stamp();
        assertEquals(Instant.EPOCH, Files.getLastModifiedTime(folder.resolve("file")).toInstant());
        var missing = new LocalCopy(entry(""), folder.resolve("missing"));
        var problem = assertThrows(StorageException.class, missing::stamp);
        assertTrue(problem.getMessage().contains("has not got the time of"), problem::getMessage);
    }

    @Test
    void anInterruptEndsTheComparing() throws Exception {
        LocalCopy copy = copy(TEXT, md5(TEXT));
        Thread.currentThread().interrupt();
        var ended = assertThrows(StorageException.class, copy::isSame);
        assertTrue(Thread.interrupted());
        assertEquals("interrupted at memory:/file", ended.getMessage());
    }
}
