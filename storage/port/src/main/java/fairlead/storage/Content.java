package fairlead.storage;

import java.io.InputStream;
import java.util.List;

/**
 * One version of a file, to be read in parts: all that is read by it is of this version, or the
 * reading fails with a message that says so. Any thread.
 */
public interface Content {
    long bytes();

    /** Another text for every other version of the file. */
    String version();

    /** Of all of it, in Base64; empty where the storage does not keep it. */
    String md5();

    /**
     * The pieces that it was written in, from its beginning to its end; none where the storage does
     * not know them.
     */
    List<Part> parts();

    /**
     * @param id as of the {@link Piece} that was written
     */
    record Part(String id, long bytes) {}

    /** Reads some of it. The caller closes the stream. */
    InputStream read(long offset, long bytes) throws StorageException;
}
