package fairlead.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What every source file must look like; a failure names the file, the line and what to do instead.
 */
class TidyTest {
    private static final int LINES_MAX = 500;

    /** What must not stand in a source file, and what to do instead. */
    private static final Map<Pattern, String> BANNED =
            Map.of(
                    Pattern.compile("\\b(TODO|FIXME|XXX)\\b"), "finish it, or open an issue",
                    Pattern.compile("@author|@since"), "git knows",
                    Pattern.compile("printStackTrace\\("),
                            "decide what the failure means, or let it pass",
                    Pattern.compile("catch \\((Throwable|Exception) _\\)"),
                            "name the failure that is meant",
                    Pattern.compile("import org\\.mockito"), "write a fake with a name",
                    Pattern.compile("@Disabled(?!\\()"), "say why, as its argument",
                    Pattern.compile("Thread\\.sleep\\("), "wait for a condition, with a bound",
                    Pattern.compile("^import .*\\*;"), "import what is used");

    @Test
    void everySourceFileIsTidy() throws IOException {
        var findings = new ArrayList<String>();
        for (Path file : sources()) {
            List<String> lines = Files.readAllLines(file);
            if (lines.size() > LINES_MAX)
                findings.add(file + ": " + lines.size() + " lines, more than " + LINES_MAX);
            for (int i = 0; i < lines.size(); i++) {
                for (var ban : BANNED.entrySet()) {
                    if (ban.getKey().matcher(lines.get(i)).find()
                            && !file.endsWith("TidyTest.java")) {
                        findings.add(
                                file
                                        + ":"
                                        + (i + 1)
                                        + ": "
                                        + ban.getValue()
                                        + ": "
                                        + lines.get(i).strip());
                    }
                }
            }
        }
        assertEquals("", String.join("\n", findings));
    }

    @Test
    void everyPackageSaysWhatItIs() throws IOException {
        var silent = new ArrayList<String>();
        for (Path file : sources()) {
            Path folder = file.getParent();
            boolean isMain = file.toString().contains("src/main/java");
            if (isMain && !Files.exists(folder.resolve("package-info.java")))
                silent.add(folder.toString());
        }
        assertEquals(List.of(), silent.stream().distinct().toList());
    }

    private static List<Path> sources() throws IOException {
        Path root =
                Files.exists(Path.of("pom.xml")) && Files.exists(Path.of("core"))
                        ? Path.of("")
                        : Path.of("..");
        var sources = new ArrayList<Path>();
        for (String module :
                List.of("core", "simulator", "engines", "api", "server", "cli", "architecture")) {
            try (Stream<Path> files = Files.walk(root.resolve(module))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.toString().contains("/target/"))
                        .forEach(sources::add);
            }
        }
        return sources;
    }
}
