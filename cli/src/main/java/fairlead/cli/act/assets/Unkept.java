package fairlead.cli.act.assets;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** The logs could not be written here; the server has them all the same. */
public final class Unkept extends IOException {
    private static final long serialVersionUID = 1;

    Unkept(IOException cause) {
        super(words(cause), cause);
    }

    /** The message of many is a path alone. */
    private static String words(IOException cause) {
        return switch (cause) {
            case NoSuchFileException missing ->
                    missing.getFile() + " cannot be made there, or is no longer there";
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case FileAlreadyExistsException file -> file.getFile() + " is no folder";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> cause.getMessage();
        };
    }
}
