package fairlead.data;

import fairlead.data.pack.Archive;
import fairlead.storage.Entry;
import fairlead.storage.StorageException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Which archive this machine has last written to a place, and what the file there looked like then.
 * For storages that cannot tell of which pieces a file was made. It may be lost at any time: then
 * the archive is written once more.
 */
final class LastSent {
    private final Stores.Place place;
    private final Path file;

    /**
     * @param folder where such things are kept
     */
    LastSent(Path folder, Stores.Place place) {
        this.place = place;
        var crc = new CRC32C();
        crc.update(place.toString().getBytes(StandardCharsets.UTF_8));
        String name = HexFormat.of().toHexDigits((int) crc.getValue());
        this.file = folder.resolve(name + ".sent");
    }

    /** Whether the place still has exactly this archive: nobody else has replaced it. */
    boolean isStill(Archive archive) throws StorageException {
        try {
            Optional<String> now = words(archive);
            return now.isPresent() && now.get().equals(Files.readString(file));
        } catch (IOException _) {
            // As good as none.
            return false;
        }
    }

    /** Where that cannot be written, the next time is only slower. */
    void remember(Archive archive) throws StorageException {
        Optional<String> now = words(archive);
        if (now.isEmpty()) return;
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, now.get());
        } catch (IOException _) {
            return;
        }
    }

    private Optional<String> words(Archive archive) throws StorageException {
        return place.storage()
                .stat(place.address())
                .filter(Entry::isFile)
                .filter(entry -> entry.bytes() == archive.bytes())
                .map(entry -> archive.id() + "\n" + place + "\n" + entry.modified() + "\n");
    }
}
