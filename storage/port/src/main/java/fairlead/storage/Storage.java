package fairlead.storage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A place where users' code and data live, from its root downwards. Any thread may call, and every
 * call may be repeated. No call keeps more in memory than some buffers, however large a file or
 * folder is. An address outside the root is refused, also one that gets there by a link.
 */
public interface Storage extends Closeable {
    /**
     * Names that begin so are files that are being written, or tell how another was: they are not
     * listed, and what a crash has left of them goes with their folder.
     */
    String PART_PREFIX = ".fairlead-part-";

    /** How far down a listing goes. */
    enum Depth {
        CHILDREN,
        ALL
    }

    /** Takes the entries of a listing one by one; what it throws ends the listing. */
    interface Visitor {
        void see(Entry entry) throws StorageException;

        /**
         * Something is there that no address can have, because of a control character in its name
         * or such. Who lists for people names it; it is passed over here.
         *
         * @param name from the folder on; what is below it is not shown
         */
        default void seeUnnamed(Address folder, String name, long bytes) throws StorageException {}
    }

    Address root();

    /** What is there now; empty where nothing is. */
    Optional<Entry> stat(Address address) throws StorageException;

    /**
     * Shows what is in a folder, in any order but a folder before what is in it. What vanishes
     * meanwhile may be left out.
     *
     * @throws StorageException also where there is no such folder
     */
    void list(Address folder, Depth depth, Visitor visitor) throws StorageException;

    /**
     * The real address of the folder that a link leads to, where both are inside this storage;
     * empty for everything else, and where the storage has no links.
     */
    Optional<Address> folderBehind(Address link) throws StorageException;

    /** Opens a file to be read from its beginning. The caller closes it. */
    default InputStream download(Address file) throws StorageException {
        return download(file, 0);
    }

    /**
     * Opens a file to be read from an offset on; at or beyond its end there is nothing to read. A
     * storage that keeps a checksum of the whole file compares it when it was read from its
     * beginning to its end. The caller closes it.
     */
    InputStream download(Address file, long offset) throws StorageException;

    /** The version of a file that is there now, for reading it in parts. */
    default Content content(Address file) throws StorageException {
        return PlainContent.of(this, file);
    }

    /** Why nothing in this storage can be called so; empty for a name that it takes. */
    default Optional<String> refusal(String name) {
        return Address.isName(name)
                ? Optional.empty()
                : Optional.of("its name has a control character");
    }

    /**
     * Writes a file, and the folders that it is in where they are missing. An older file of that
     * name is replaced. Others see the old one or the whole new one: after a failure, the stream's
     * or the storage's, it is the old one.
     */
    void upload(InputStream content, Address file) throws StorageException;

    /**
     * Gives a file that was just written the time of its original, where the storage has no
     * checksum to compare them by and can do that.
     */
    default void stamp(Address file, Instant modified) throws StorageException {}

    /**
     * Writes a file that is these pieces one after the other, as whole as {@link #upload}. What the
     * storage has of this file already, in its present content or from a writing that broke off,
     * does not travel again where the storage can avoid it; progress is reported for both.
     */
    default void uploadPieces(Address file, List<Piece> pieces, Progress progress)
            throws StorageException {
        try (var all = new PiecesStream(file, pieces, progress)) {
            upload(all, file);
        } catch (IOException problem) {
            throw Ended.failed(file + " was not written", problem);
        }
    }

    /** Makes a folder, and those that it is in. One that is there is fine. */
    void makeFolder(Address folder) throws StorageException;

    /**
     * Copies one file inside this storage, as whole as an upload; where the storage can, not
     * through this machine.
     */
    void copy(Address from, Address to) throws StorageException;

    /**
     * Copies one file of another storage into this one, as whole as an upload; where both storages
     * can, not through this machine.
     */
    default void copyFrom(Storage source, Address from, Address to) throws StorageException {
        try (InputStream content = source.download(from)) {
            upload(content, to);
        } catch (IOException problem) {
            throw new StorageException(
                    from + " was not copied to " + to + ": " + Words.of(problem), problem);
        }
    }

    /**
     * An address by which anybody can read this file, and do nothing else, for some time. It is a
     * secret.
     *
     * @throws StorageException also where the storage has no such addresses
     */
    default URI signedUrl(Address file, Duration valid) throws StorageException {
        throw new StorageException(
                "%s: addresses cannot be read by a browser, so there is none for %s"
                        .formatted(file.scheme(), file));
    }

    /**
     * Removes this file, or this folder with all that is in it, and nothing else: a link is
     * removed, not what it leads to. Nothing there is fine. The root itself is refused.
     */
    void delete(Address address) throws StorageException;

    /** Lets go of connections. */
    @Override
    void close();
}
