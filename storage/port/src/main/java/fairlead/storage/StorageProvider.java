package fairlead.storage;

/**
 * Opens storages of one scheme. Found by {@link java.util.ServiceLoader}, so that what a storage
 * brings along is loaded only where somebody uses it.
 */
public interface StorageProvider {
    String scheme();

    /**
     * Opens what is at the address and below it.
     *
     * @throws StorageException also when it cannot be reached now
     */
    Storage open(Address root, Access access) throws StorageException;
}
