package fairlead.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The command works on laptops that have no Linux: what only Linux has may be named on the client's
 * class path by the classes below alone, each of which does without it elsewhere.
 */
final class LaptopTest {
    private static final Pattern LINUX_ONLY =
            Pattern.compile(
                    "\"/(proc|dev|sys|etc|usr|run)\\b|\"unix:|PosixFile|\"(stty|setsid|sh)\"[,)]"
                            + "|UnixDomainSocketAddress");

    /** What each does where there is no such thing. */
    private static final Set<String> GUARDED =
            Set.of(
                    "HomeFolder.java", // modes only where the file system has them
                    "PersonalServer.java", // refuses to start a server there
                    "RawTerminal.java", // whole lines instead of keys
                    "TerminalWidth.java", // the usual width
                    "Pager.java", // prints the text
                    "RunaiSubmit.java", // no account is named
                    "Notice.java", // finds no program for the desktop, and rings the bell
                    "Doctor.java", // looks only at a machine that has a server
                    "RequestName.java", // takes Java's own random numbers
                    "OtherVersion.java"); // says how to upgrade where no package is

    /** Commands of jobs, which run on a server. */
    private static final Set<String> FOR_JOBS =
            Set.of("CodeFolder.java", "Bash.java", "CommandAdapter.java");

    /** The modules whose jars the command loads, but dialects, whose scripts are for jobs. */
    private static final List<String> CLIENT = List.of("cli", "api");

    @Test
    void onlyGuardedClassesOfTheCommandKnowLinux() throws IOException {
        var found = new TreeSet<String>();
        for (String module : CLIENT) {
            Path sources = Path.of("..", "..", module, "src", "main", "java");
            try (var files = Files.walk(sources)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList())
                    if (LINUX_ONLY.matcher(Files.readString(file)).find())
                        found.add(file.getFileName().toString());
            }
        }
        var known = new TreeSet<>(GUARDED);
        known.addAll(FOR_JOBS);
        assertEquals(known, found);
    }
}
