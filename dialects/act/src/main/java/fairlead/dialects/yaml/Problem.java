package fairlead.dialects.yaml;

import java.nio.file.Path;

/**
 * Something in a config file that is not as it must be, or not as its author may think.
 *
 * @param file as seen from the folder where the command was typed
 * @param line counted from 1; 0 is the file as a whole
 */
public record Problem(Path file, int line, String message) {
    @Override
    public String toString() {
        // A file that cannot be read at all is named by the message.
        return line == 0 ? message : file + ":" + line + ": " + message;
    }
}
