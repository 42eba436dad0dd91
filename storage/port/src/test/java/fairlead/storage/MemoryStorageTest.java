package fairlead.storage;

/** The contract on the storage that other tests use. */
class MemoryStorageTest extends StorageContract {
    private final Storage storage;

    MemoryStorageTest() throws StorageException {
        storage = new MemoryStorage("memory://here/root", true);
    }

    @Override
    protected Storage storage() {
        return storage;
    }

    @Override
    protected int manyFiles() {
        return 100;
    }

    /** It holds them. */
    @Override
    protected int largeBytes() {
        return 2 * Transfer.PIECE_BYTES;
    }
}
