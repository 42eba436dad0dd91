package fairlead.storage;

import java.io.InputStream;
import java.util.List;

/**
 * The content of a file in a storage that keeps no versions: the file is looked at before each
 * read, so what changes in the middle of one is noticed at the next.
 */
record PlainContent(Storage storage, Entry entry) implements Content {
    /** Of a file that is there. */
    static Content of(Storage storage, Address file) throws StorageException {
        Entry entry =
                storage.stat(file)
                        .orElseThrow(() -> new StorageException("there is nothing called " + file));
        if (!entry.isFile()) throw new StorageException(file + " is a folder and no file");
        return new PlainContent(storage, entry);
    }

    @Override
    public long bytes() {
        return entry.bytes();
    }

    @Override
    public String version() {
        return entry.bytes() + "@" + entry.modified();
    }

    @Override
    public String md5() {
        return entry.md5();
    }

    @Override
    public List<Part> parts() {
        return List.of();
    }

    @Override
    public InputStream read(long offset, long bytes) throws StorageException {
        boolean isSame = storage.stat(entry.address()).filter(entry::equals).isPresent();
        if (!isSame)
            throw new StorageException(entry.address() + " has changed while it was being read");
        return new Limited(storage.download(entry.address(), offset), bytes);
    }
}
