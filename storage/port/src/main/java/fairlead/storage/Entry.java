package fairlead.storage;

import java.time.Instant;
import java.util.Optional;

/**
 * One file or folder as a storage shows it.
 *
 * @param bytes zero for whatever is no file
 * @param md5 of the content, in Base64; empty where the storage does not keep it
 * @param created empty where the storage does not know
 */
public record Entry(
        Address address,
        Kind kind,
        long bytes,
        Instant modified,
        String md5,
        Optional<Instant> created) {
    public Entry(Address address, Kind kind, long bytes, Instant modified) {
        this(address, kind, bytes, modified, "", Optional.empty());
    }

    /** What it is. */
    public enum Kind {
        FILE,
        FOLDER,

        /** Neither, such as a link that leads out of the storage: shown, removed, never read. */
        OTHER
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }

    public boolean isFolder() {
        return kind == Kind.FOLDER;
    }
}
