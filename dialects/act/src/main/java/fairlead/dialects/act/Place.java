package fairlead.dialects.act;

/** Where a job finds its code or one of its folders, as the program on the node gets it. */
public sealed interface Place {
    /** How it is mounted, such as {@code ro,attr_timeout=240}; empty for the usual way. */
    String fuse();

    /**
     * A file or folder of the node.
     *
     * @param path absolute
     */
    record File(String path, String fuse) implements Place {
        public File(String path) {
            this(path, "");
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
