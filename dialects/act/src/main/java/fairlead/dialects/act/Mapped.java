package fairlead.dialects.act;

/**
 * A file or folder of a store, as an entry of {@code config_param} names it.
 *
 * @param path inside the store, without a slash at either end; empty for the whole store
 */
public record Mapped(Store store, String path) {
    public Mapped {
        if (path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException("path has a slash at its end: " + path);
        }
    }
}
