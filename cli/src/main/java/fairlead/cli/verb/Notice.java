package fairlead.cli.verb;

import fairlead.cli.line.Session;
import fairlead.cli.terminal.Output;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Calls somebody back who looks elsewhere: by the terminal's bell, and by the desktop where a
 * program for that is there. A desktop that does not answer is nobody's failure.
 */
final class Notice {
    /** A session bus that hangs must not keep the command from its exit code. */
    private static final Duration DESKTOP_MAX = Duration.ofSeconds(5);

    /** The words are its argument: as a part of the script they could say anything. */
    private static final List<String> MAC_SCRIPT =
            List.of(
                    "-e",
                    "on run argv",
                    "-e",
                    "display notification (item 1 of argv) with title \"fairlead\"",
                    "-e",
                    "end run");

    private Notice() {}

    static void give(String words, Session session) throws Output.Closed {
        if (session.terminal().errIsTerminal()) session.bell();
        desktop(words, session).ifPresent(command -> run(command, session));
    }

    private static Optional<List<String>> desktop(String words, Session session) {
        Optional<Path> linux = program("notify-send", session);
        if (linux.isPresent()) {
            return Optional.of(
                    List.of(linux.get().toString(), "--app-name=fairlead", "fairlead", words));
        }
        return program("osascript", session)
                .map(
                        path -> {
                            var command = new ArrayList<>(List.of(path.toString()));
                            command.addAll(MAC_SCRIPT);
                            command.add(words);
                            return command;
                        });
    }

    private static Optional<Path> program(String name, Session session) {
        String folders = session.terminal().environment().getOrDefault("PATH", "");
        for (String folder : folders.split(File.pathSeparator)) {
            if (folder.isEmpty()) continue;
            Path path = Path.of(folder, name);
            if (Files.isExecutable(path) && !Files.isDirectory(path)) return Optional.of(path);
        }
        return Optional.empty();
    }

    private static void run(List<String> command, Session session) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(session.terminal().folder().toFile())
                            .redirectInput(
                                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!process.waitFor(DESKTOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) process.destroy();
        } catch (IOException _) {
            // There is no desktop to tell; the bell has rung.
            return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
