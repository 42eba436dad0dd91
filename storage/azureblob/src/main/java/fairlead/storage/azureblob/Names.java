package fairlead.storage.azureblob;

import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.ListBlobsOptions;

import fairlead.storage.Entry;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps files and folders apart in a container, which knows only names. A folder is what stands
 * before a slash in a name, or an empty blob with a mark, as other programs of Azure make it. What
 * was seen once is remembered, so that ten thousand files of one folder do not cost as many
 * questions; it only guards against mistakes, so it may be old. Any thread.
 */
final class Names {
    /** Metadata of a blob that stands for a folder. */
    static final String MARK = "hdi_isfolder";

    /** What is remembered; all is forgotten when it is more. */
    private static final int KNOWN_MAX = 100_000;

    private final BlobContainerClient container;
    private final Map<String, Entry.Kind> known = new ConcurrentHashMap<>();

    /** Folders of which all that is in them is known. */
    private final Set<String> complete = ConcurrentHashMap.newKeySet();

    Names(BlobContainerClient container) {
        this.container = container;
    }

    void learn(String name, Entry.Kind kind) {
        if (known.size() >= KNOWN_MAX) forget();
        known.put(name, kind);
    }

    /** A file was written, so all above it are folders. */
    void learnFile(String name) {
        learn(name, Entry.Kind.FILE);
        for (int slash = name.lastIndexOf('/');
                slash > 0;
                slash = name.lastIndexOf('/', slash - 1)) {
            if (known.putIfAbsent(name.substring(0, slash), Entry.Kind.FOLDER) != null) return;
        }
    }

    void learnAll(String folder) {
        if (known.size() < KNOWN_MAX) complete.add(folder);
    }

    void forget() {
        complete.clear();
        known.clear();
    }

    /** What is there, by one or two questions unless it is known. */
    Optional<Entry.Kind> kind(String name) {
        Entry.Kind seen = known.get(name);
        if (seen != null) return Optional.of(seen);
        if (isComplete(name)) return Optional.empty();
        Optional<BlobProperties> blob = properties(name);
        Optional<Entry.Kind> kind =
                blob.isPresent()
                        ? Optional.of(
                                isMark(blob.get().getMetadata())
                                        ? Entry.Kind.FOLDER
                                        : Entry.Kind.FILE)
                        : isEmpty(name) ? Optional.empty() : Optional.of(Entry.Kind.FOLDER);
        kind.ifPresent(found -> learn(name, found));
        if (kind.isEmpty()) learnAll(name);
        return kind;
    }

    /** Whether there is a folder; cheaper than {@link #kind} for a name that is a file or new. */
    boolean isFolder(String name) {
        Entry.Kind seen = known.get(name);
        if (seen != null) return seen == Entry.Kind.FOLDER;
        return !isComplete(name) && !isEmpty(name);
    }

    private boolean isComplete(String name) {
        if (complete.isEmpty()) return false;
        if (complete.contains(name) || complete.contains("")) return true;
        for (int slash = name.lastIndexOf('/');
                slash > 0;
                slash = name.lastIndexOf('/', slash - 1)) {
            if (complete.contains(name.substring(0, slash))) return true;
        }
        return false;
    }

    Optional<BlobProperties> properties(String name) {
        try {
            return Optional.of(container.getBlobClient(name).getProperties());
        } catch (RuntimeException problem) {
            if (BlobWords.isMissing(problem)) return Optional.empty();
            throw problem;
        }
    }

    static boolean isMark(Map<String, String> metadata) {
        if (metadata == null) return false;
        return metadata.entrySet().stream()
                .anyMatch(
                        entry ->
                                entry.getKey().equalsIgnoreCase(MARK)
                                        && entry.getValue().equalsIgnoreCase("true"));
    }

    /** Whether nothing is below a name, or below the whole container for an empty one. */
    boolean isEmpty(String name) {
        var options =
                new ListBlobsOptions()
                        .setPrefix(name.isEmpty() ? "" : name + "/")
                        .setMaxResultsPerPage(1);
        return !container.listBlobs(options, null).iterator().hasNext();
    }
}
