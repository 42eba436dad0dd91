package fairlead.dialects.act.config;

/**
 * A file or folder of a store, as an entry of {@code config_param} names it.
 *
 * @param path inside the store, without a slash at either end; empty for the whole store
 * @param fuse how it is mounted, such as {@code ro,attr_timeout=240}; empty for the usual way
 */
public record Mapped(Store store, String path, String fuse) {
    /** How the keys of folders end; what stands before it is the name that jobs see. */
    public static final String FOLDER_SUFFIX = "_folder";

    public Mapped {
        if (path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException("path has a slash at its end: " + path);
        }
    }

    /** One that is mounted in the usual way. */
    public Mapped(Store store, String path) {
        this(store, path, "");
    }

    /** Whether one folder can be called so. */
    public static boolean isFolderName(String name) {
        return name.matches("[^/\\\\\\p{Cntrl}]{1,255}") && !name.equals(".") && !name.equals("..");
    }

    public boolean isReadOnly() {
        return FuseOptions.areReadOnly(fuse);
    }
}
