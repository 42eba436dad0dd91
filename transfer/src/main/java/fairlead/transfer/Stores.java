package fairlead.transfer;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;
import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.FollowedList;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;
import fairlead.storage.StorageProvider;
import fairlead.storage.file.FileStorage;

import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The storages of one call, each opened when it is first needed. Not thread-safe. */
public final class Stores implements AutoCloseable {
    private static final String BLOB = "azureblob";

    private final Map<Store, Storage> open = new LinkedHashMap<>();

    /** A file or folder of an open storage. */
    public record Place(Storage storage, Address address) {
        @Override
        public String toString() {
            return address.toString();
        }

        /**
         * What is there.
         *
         * @param verb what the user wants to do with it
         */
        Entry entry(DataPath path, String verb) throws Failed, StorageException {
            return FollowedList.stat(storage, address)
                    .orElseThrow(
                            () ->
                                    Failed.refused(
                                            "there is no %s to %s: %s is not there"
                                                    .formatted(path, verb, this)));
        }
    }

    /** Where a cluster keeps this path. */
    Place place(ClusterConfig config, DataPath path) throws Failed, StorageException {
        Mapped folder = config.folders().get(path.first());
        if (folder == null) throw Failed.usage(unmapped(config, path));
        Place place = place(folder);
        Address address = place.address();
        for (String name : path.rest()) address = address.child(name);
        return new Place(place.storage(), address);
    }

    private static String unmapped(ClusterConfig config, DataPath path) {
        String known =
                config.folders().keySet().stream()
                        .map(name -> name + "_folder")
                        .collect(Collectors.joining(", "));
        return "'"
                + path
                + "' needs "
                + path.first()
                + "_folder in config_param of "
                + config.file()
                + ", which has "
                + (known.isEmpty() ? "no folder" : known);
    }

    public Place place(Mapped mapped) throws Failed, StorageException {
        Storage storage = open.get(mapped.store());
        if (storage == null) {
            storage = open(mapped.store());
            open.put(mapped.store(), storage);
        }
        Address address = storage.root();
        for (String name : mapped.path().split("/")) {
            if (!name.isEmpty()) address = address.child(name);
        }
        return new Place(storage, address);
    }

    private static Storage open(Store store) throws Failed, StorageException {
        return switch (store) {
            case Store.Folder(var path) -> {
                // It is not made here: in place of a disk that is not mounted it would take the
                // data and hide it.
                if (!Files.exists(path))
                    throw new StorageException(
                            store
                                    + " cannot be used: there is no "
                                    + path
                                    + ". If no disk has to be mounted there, make it: mkdir -p "
                                    + path);
                yield FileStorage.open(Address.of("file:" + path));
            }
            case Store.Blob(var account, var key, var sas, var container, var endpoint) -> {
                if (key.isEmpty() && sas.isEmpty()) {
                    throw Failed.usage(
                            "the account file of "
                                    + store
                                    + " has no sas_token and no account_key");
                }
                Address root = Address.of(BLOB + "://" + account + "/" + container);
                yield provider(BLOB).open(root, new Access("", key, sas, endpoint));
            }
        };
    }

    private static StorageProvider provider(String scheme) throws StorageException {
        return ServiceLoader.load(StorageProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.scheme().equals(scheme))
                .findFirst()
                .orElseThrow(
                        () ->
                                new StorageException(
                                        "this installation cannot reach "
                                                + scheme
                                                + ": stores, because lib/transfer lacks their"
                                                + " jar"));
    }

    @Override
    public void close() {
        open.values().forEach(Storage::close);
    }
}
