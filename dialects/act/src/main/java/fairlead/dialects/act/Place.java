package fairlead.dialects.act;

import java.util.Optional;

/** Where a job finds its code or one of its folders, as the program on the node gets it. */
public sealed interface Place {
    /** How it is mounted, such as {@code ro,attr_timeout=240}; empty for the usual way. */
    String fuse();

    /** The name of the variable that holds its signature, where it needs one. */
    default Optional<String> signature() {
        return switch (this) {
            case File _ -> Optional.empty();
            case Blob blob -> Optional.of(blob.sas());
        };
    }

    /**
     * A file or folder of the node.
     *
     * @param path absolute
     * @param store the folder that must be there before one in it is made; empty where any will do
     */
    record File(String path, String fuse, String store) implements Place {
        public File(String path) {
            this(path, "", "");
        }

        public File(String path, String fuse) {
            this(path, fuse, "");
        }
    }

    /**
     * A blob, or all blobs below a name.
     *
     * @param url without the signature
     * @param sas the name of the variable that holds the signature, which begins with a question
     *     mark
     */
    record Blob(String url, String sas, String fuse) implements Place {
        public Blob(String url, String sas) {
            this(url, sas, "");
        }
    }
}
