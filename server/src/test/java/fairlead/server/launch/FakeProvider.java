package fairlead.server.launch;

import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.StorageProvider;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A provider of storages that are always away, and remember who has asked for them. */
public final class FakeProvider implements StorageProvider {
    static final List<String> ASKED = new CopyOnWriteArrayList<>();

    @Override
    public String scheme() {
        return "fake";
    }

    @Override
    public Storage open(Address root, Access access) throws StorageException {
        ASKED.add(access.user() + " " + root);
        throw new StorageException(root + " is away");
    }
}
