package fairlead.cli.admin;

import fairlead.cli.line.Session;
import fairlead.cli.terminal.UsageException;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A password as somebody types it, or as a pipe brings it. It is never shown. */
final class NewPassword {
    /** The server takes no longer one; what comes through the pipe may be anything. */
    private static final int BYTES_MAX = 4_096;

    private NewPassword() {}

    /** The first line of the standard input. */
    static String piped() throws IOException, UsageException {
        byte[] input = System.in.readNBytes(BYTES_MAX);
        String text = new String(input, StandardCharsets.UTF_8);
        String line = text.lines().findFirst().orElse("");
        if (line.isEmpty()) throw new UsageException("the standard input holds no password");
        return line;
    }

    /** One that somebody has already. */
    static String known(String name, Session session) throws UsageException {
        char[] typed = terminal(session).readPassword("Password of %s: ", name);
        if (typed == null || typed.length == 0) throw new UsageException("no password was typed");
        return new String(typed);
    }

    private static Console terminal(Session session) throws UsageException {
        Console console = System.console();
        if (!session.terminal().inIsTerminal() || console == null || !console.isTerminal()) {
            throw new UsageException(
                    "there is no terminal to type a password; pipe it, and say --password-stdin");
        }
        return console;
    }

    /** Asks twice, without an echo, because nobody sees what they type. */
    static String typed(String name, Session session) throws UsageException {
        Console console = terminal(session);
        char[] first = console.readPassword("New password of %s: ", name);
        char[] second = first == null ? null : console.readPassword("The same again: ");
        if (second == null) throw new UsageException("no password was typed");
        if (!Arrays.equals(first, second)) throw new UsageException("the two are not the same");
        return new String(first);
    }
}
