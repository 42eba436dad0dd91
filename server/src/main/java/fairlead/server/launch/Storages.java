package fairlead.server.launch;

import fairlead.engine.OwnerOnly;
import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.StorageProvider;
import fairlead.storage.file.FileStorage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens storages for the server, each by the scheme of an address. Folders of this machine are
 * there at once; what brings a large client along lies beside the server's jars in a folder called
 * like its scheme, and is loaded by a class loader of its own when the first address asks for it
 * (docs/adr/0006). Any thread.
 */
public final class Storages {
    private final Path folder;
    private final Path jars;
    private final Map<String, StorageProvider> loaded = new ConcurrentHashMap<>();

    /**
     * @param folder the one that {@code file:} addresses must be in; made when it is needed
     */
    public Storages(Path folder) {
        this(folder, JarsBeside.ours().folder());
    }

    /**
     * @param jars has a folder for each scheme
     */
    Storages(Path folder, Path jars) {
        this.folder = folder;
        this.jars = jars;
    }

    /** Why the address cannot be opened here, if it never can. Opens nothing. */
    public Optional<String> refusal(Address address) {
        try {
            if (address.scheme().equals(FileStorage.SCHEME)) insideRoot(address);
            else provider(address.scheme());
            return Optional.empty();
        } catch (StorageException none) {
            return Optional.of(none.getMessage());
        }
    }

    /** The storage that the address is in. The caller closes it. */
    public Storage open(Address address, String user) throws StorageException {
        if (address.scheme().equals(FileStorage.SCHEME)) return openFolder(address);
        var top = new Address(address.scheme(), address.authority(), List.of());
        return provider(address.scheme()).open(top, Access.as(user));
    }

    private Storage openFolder(Address address) throws StorageException {
        // Before the folder is made or looked at: what else is there is nobody's business.
        Address root = insideRoot(address);
        try {
            OwnerOnly.makeFolder(folder);
        } catch (IOException problem) {
            throw new StorageException(root + " cannot be made: " + problem.getMessage(), problem);
        }
        return FileStorage.open(root);
    }

    private Address insideRoot(Address address) throws StorageException {
        Address root = Address.of("file:" + folder);
        if (!address.isIn(root)) throw new StorageException(address + " is outside of " + root);
        return root;
    }

    private StorageProvider provider(String scheme) throws StorageException {
        StorageProvider known = loaded.get(scheme);
        if (known != null) return known;
        synchronized (loaded) {
            if (loaded.containsKey(scheme)) return loaded.get(scheme);
            StorageProvider found = load(scheme);
            loaded.put(scheme, found);
            return found;
        }
    }

    private StorageProvider load(String scheme) throws StorageException {
        Optional<StorageProvider> found = search(scheme);
        if (found.isPresent()) return found.get();
        // Not where its jars would be: that is a path of the server, and users read this.
        throw new StorageException(
                "this server has no storage for %s: addresses, only for %s"
                        .formatted(scheme, String.join(" and ", schemes())));
    }

    private Optional<StorageProvider> search(String scheme) throws StorageException {
        try {
            return new JarsBeside(jars)
                    .services(StorageProvider.class, scheme)
                    .filter(provider -> provider.scheme().equals(scheme))
                    .findFirst();
        } catch (IOException problem) {
            throw new StorageException(
                    "the storage for %s: addresses cannot be loaded: %s"
                            .formatted(scheme, problem.getMessage()),
                    problem);
        }
    }

    /** Those of the addresses that can be opened, as one writes them. */
    private List<String> schemes() throws StorageException {
        var schemes = new ArrayList<>(List.of(FileStorage.SCHEME + ":"));
        if (!Files.isDirectory(jars)) return schemes;
        try (var folders = Files.newDirectoryStream(jars, Files::isDirectory)) {
            for (Path folder : folders) {
                String scheme = folder.getFileName().toString();
                if (search(scheme).isPresent()) schemes.add(scheme + ":");
            }
        } catch (IOException problem) {
            throw new StorageException("storages cannot be listed", problem);
        }
        return schemes;
    }
}
