package fairlead.storage.azureblob;

import com.azure.core.http.rest.PagedIterable;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.ListBlobsOptions;

import fairlead.storage.Address;
import fairlead.storage.Entry;
import fairlead.storage.Storage;
import fairlead.storage.StorageException;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Shows the names of a container as files and folders, page by page. */
final class Listing {
    private final BlobContainerClient container;
    private final Names names;
    private final int namesPerPage;

    Listing(BlobContainerClient container, Names names, int namesPerPage) {
        this.container = container;
        this.names = names;
        this.namesPerPage = namesPerPage;
    }

    private ListBlobsOptions below(String name) {
        return new ListBlobsOptions()
                .setMaxResultsPerPage(namesPerPage)
                .setPrefix(name.isEmpty() ? "" : name + "/")
                .setDetails(new BlobListDetails().setRetrieveMetadata(true));
    }

    /** All names below a folder, the marks of folders among them. */
    Iterable<String> names(String folder) {
        return container.listBlobs(below(folder), null).stream().map(BlobItem::getName)::iterator;
    }

    /** True means that nothing was shown. */
    boolean children(Address folder, String name, Storage.Visitor visitor) throws StorageException {
        PagedIterable<BlobItem> items = container.listBlobsByHierarchy("/", below(name), null);
        return show(folder, name, items, visitor);
    }

    /** True means that nothing was shown. */
    boolean all(Address folder, String name, Storage.Visitor visitor) throws StorageException {
        boolean isEmpty = show(folder, name, container.listBlobs(below(name), null), visitor);
        names.learnAll(name);
        return isEmpty;
    }

    private boolean show(
            Address top, String name, Iterable<BlobItem> items, Storage.Visitor visitor)
            throws StorageException {
        int start = name.isEmpty() ? 0 : name.length() + 1;
        Set<Address> folders = new HashSet<>(Set.of(top));
        boolean isEmpty = true;
        for (BlobItem item : items) {
            String[] path = item.getName().substring(start).split("/");
            boolean isFolder =
                    Boolean.TRUE.equals(item.isPrefix())
                            || item.getName().endsWith("/")
                            || Names.isMark(item.getMetadata());
            Address place = top;
            for (int i = 0; i < path.length; i++) {
                // The mark of the folder itself, as some programs write it.
                if (path.length == 1 && path[0].isEmpty()) break;
                if (!Address.isName(path[i])) {
                    String rest = String.join("/", List.of(path).subList(i, path.length));
                    visitor.seeUnnamed(place, rest, isFolder ? 0 : size(item));
                    break;
                }
                place = place.child(path[i]);
                boolean isFile = i == path.length - 1 && !isFolder;
                if (isFile) show(place, item, visitor);
                else if (folders.add(place)) show(place, visitor);
            }
            isEmpty = false;
        }
        return isEmpty;
    }

    private void show(Address folder, Storage.Visitor visitor) throws StorageException {
        names.learn(name(folder), Entry.Kind.FOLDER);
        visitor.see(new Entry(folder, Entry.Kind.FOLDER, 0, Instant.EPOCH));
    }

    private void show(Address file, BlobItem item, Storage.Visitor visitor)
            throws StorageException {
        names.learn(item.getName(), Entry.Kind.FILE);
        visitor.see(
                new Entry(
                        file,
                        Entry.Kind.FILE,
                        size(item),
                        item.getProperties().getLastModified().toInstant(),
                        AzureBlobStorage.base64(item.getProperties().getContentMd5()),
                        AzureBlobStorage.created(item.getProperties().getCreationTime())));
    }

    private static long size(BlobItem item) {
        return item.getProperties().getContentLength();
    }

    private static String name(Address address) {
        return String.join("/", address.names().subList(1, address.names().size()));
    }
}
