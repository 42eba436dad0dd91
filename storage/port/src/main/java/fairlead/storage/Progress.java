package fairlead.storage;

import java.nio.file.Path;

/**
 * Told how far a transfer is. Several threads may call at once. What it throws ends the transfer.
 */
public interface Progress {
    Progress NONE = (_, _) -> {};

    /**
     * Bytes have travelled.
     *
     * @param bytes since the last call for this file; zero once for a file that begins
     */
    void moved(Address file, long bytes) throws StorageException;

    /** Bytes do not have to travel, because they are there already. */
    default void skipped(Address file, long bytes) throws StorageException {}

    /** One more file is to be moved: the sum of all calls is the whole as far as it is known. */
    default void found(Address file, long bytes) throws StorageException {}

    /** No more files will be found. */
    default void foundAll() throws StorageException {}

    /** Something is not taken along, because it is no file of the folder or of the storage. */
    default void leftOut(Path file, String reason) throws StorageException {}

    /** A file is whole in its place. */
    default void finished(Address file) throws StorageException {}
}
