package fairlead.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All that is below a folder, as a reader sees it: a link to a folder inside the storage counts as
 * that folder. What can be no file or folder for a reader is named and left out.
 */
public final class FollowedList {
    public static final String UNREADABLE =
            "it is a link that leads out of the store or nowhere, or no file at all";
    public static final String UNNAMED =
            "its name has a control character, or is none that a file can have";
    private static final String LOOP = "the link leads back to a folder that it is in";

    /** Takes what is found; what it throws ends the listing. */
    public interface Visitor {
        /**
         * @param names that lead to it from the folder that is listed
         * @param entry a file or a folder; its address is the real one, behind all links
         */
        void see(List<String> names, Entry entry) throws StorageException;

        void leftOut(List<String> names, String reason) throws StorageException;
    }

    private final Storage storage;
    private final Visitor visitor;

    private FollowedList(Storage storage, Visitor visitor) {
        this.storage = storage;
        this.visitor = visitor;
    }

    /**
     * @param folder must not be a link
     */
    public static void of(Storage storage, Address folder, Visitor visitor)
            throws StorageException {
        new FollowedList(storage, visitor).list(folder, List.of(), List.of());
    }

    /** What is there, or the folder that a link there leads to. */
    public static Optional<Entry> stat(Storage storage, Address address) throws StorageException {
        Optional<Entry> entry = storage.stat(address);
        if (entry.isEmpty() || entry.get().kind() != Entry.Kind.OTHER) return entry;
        Optional<Address> target = storage.folderBehind(address);
        return target.isEmpty() ? entry : storage.stat(target.get());
    }

    /**
     * @param names that lead to the folder
     * @param links that were followed to it; one that leads to a folder above them has no end
     */
    private void list(Address folder, List<String> names, List<Address> links)
            throws StorageException {
        storage.list(
                folder,
                Storage.Depth.ALL,
                new Storage.Visitor() {
                    @Override
                    public void see(Entry found) throws StorageException {
                        List<String> place = place(found.address());
                        if (found.kind() == Entry.Kind.OTHER) follow(found.address(), place, links);
                        else visitor.see(place, found);
                    }

                    @Override
                    public void seeUnnamed(Address in, String name, long bytes)
                            throws StorageException {
                        List<String> place = place(in);
                        place.add(Address.shown(name));
                        visitor.leftOut(place, UNNAMED);
                    }

                    private List<String> place(Address address) {
                        var place = new ArrayList<>(names);
                        place.addAll(address.below(folder));
                        return place;
                    }
                });
    }

    private void follow(Address link, List<String> names, List<Address> links)
            throws StorageException {
        Optional<Address> target = storage.folderBehind(link);
        Optional<Entry> folder = target.isEmpty() ? Optional.empty() : storage.stat(target.get());
        if (folder.isEmpty()) {
            visitor.leftOut(names, UNREADABLE);
            return;
        }
        var followed = new ArrayList<>(links);
        followed.add(link);
        if (followed.stream().anyMatch(each -> each.isIn(target.get()))) {
            visitor.leftOut(names, LOOP);
            return;
        }
        visitor.see(names, folder.get());
        list(target.get(), names, followed);
    }
}
