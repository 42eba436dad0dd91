package fairlead.transfer;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * Everything that a call sees of the shell where it was typed.
 *
 * @param inIsTerminal whether a person can answer a question
 * @param errIsTerminal whether a person watches how far it is
 * @param folder where the command was typed
 */
public record Screen(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean inIsTerminal,
        boolean errIsTerminal,
        Map<String, String> environment,
        Path folder,
        Interruption interruption) {
    public Screen(
            InputStream in,
            PrintStream out,
            PrintStream err,
            boolean inIsTerminal,
            boolean errIsTerminal,
            Map<String, String> environment,
            Path folder) {
        this(in, out, err, inIsTerminal, errIsTerminal, environment, folder, new Interruption());
    }

    /** The same in another folder. */
    Screen in(Path other) {
        return new Screen(
                in, out, err, inIsTerminal, errIsTerminal, environment, other, interruption);
    }

    /** Tells the user something that is not the answer. */
    public void say(String message) {
        out.flush();
        err.println("fairlead: " + message);
        err.flush();
    }
}
