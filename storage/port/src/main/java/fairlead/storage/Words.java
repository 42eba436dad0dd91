package fairlead.storage;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What a failed input or output is in one line; the JDK often gives nothing but a path. */
public final class Words {
    private Words() {}

    public static String of(IOException problem) {
        return switch (problem) {
            case NoSuchFileException missing -> "there is no " + missing.getFile();
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case FileAlreadyExistsException there -> there.getFile() + " is there already";
            case NotDirectoryException file -> file.getFile() + " is no folder";
            case DirectoryNotEmptyException folder -> folder.getFile() + " is not empty";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            case ClosedByInterruptException _ -> "interrupted";
            default -> firstLine(problem);
        };
    }

    private static String firstLine(IOException problem) {
        String message = problem.getMessage();
        if (message == null || message.isBlank()) return problem.getClass().getSimpleName();
        return message.lines().findFirst().orElse("").strip();
    }
}
