package fairlead.dialects.openpai;

import java.util.Optional;

/** What becomes of a job's codeDir: a folder in the working directory (items O20, O21). */
public final class CodeFolder {
    /** A task whose code cannot be taken ends with this. */
    public static final int REFUSED_EXIT_CODE = 1;

    private static final long BYTES_MAX = 200_000_000;

    private CodeFolder() {}

    /** The last part of the address: {@code code} for {@code hdfs://host:9000/ann/code/}. */
    public static String name(String codeDir) throws Invalid {
        String path = codeDir.replaceAll("/+$", "");
        String name = path.substring(path.lastIndexOf('/') + 1);
        boolean isFolder = !name.isEmpty() && !name.equals(".") && !name.equals("..");
        boolean isHost = path.endsWith("://" + name) || name.endsWith(":");
        if (isFolder && !isHost) return name;
        throw new Invalid("codeDir does not name a folder: '" + Invalid.shown(codeDir) + "'");
    }

    /** Why code of that size is not taken, if it is not. */
    public static Optional<String> refusal(String codeDir, long bytes) {
        if (bytes > BYTES_MAX) return Optional.of(codeDir + " is larger than 200MB, exit.");
        return bytes > 0 ? Optional.empty() : Optional.of(codeDir + " is empty, exit.");
    }
}
