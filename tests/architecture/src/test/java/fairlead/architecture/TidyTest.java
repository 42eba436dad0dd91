package fairlead.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What every source file must look like; a failure names the file, the line and what to do instead.
 */
class TidyTest {
    private static final int LINES_MAX = 500;

    /** Beyond that nobody finds a file by reading the folder's list. */
    private static final int FILES_MAX = 40;

    /** What must not stand in a source file, and what to do instead. */
    private static final Map<Pattern, String> BANNED =
            Map.of(
                    Pattern.compile("\\b(TODO|FIXME|XXX)\\b"), "finish it, or open an issue",
                    Pattern.compile("@author|@since"), "git knows",
                    Pattern.compile("catch \\((Throwable|Exception) _\\)"),
                            "name the failure that is meant",
                    Pattern.compile("import org\\.mockito"), "write a fake with a name",
                    Pattern.compile("@Disabled(?!\\()"), "say why, as its argument",
                    Pattern.compile("^import .*\\*;"), "import what is used");

    /** What must not stand in a test besides. */
    private static final Map<Pattern, String> BANNED_IN_TESTS =
            Map.of(Pattern.compile("Thread\\.sleep\\("), "wait for a condition, with a bound");

    @Test
    void everySourceFileIsTidy() throws IOException {
        var findings = new ArrayList<String>();
        for (Path file : sources()) {
            List<String> lines = Files.readAllLines(file);
            if (lines.size() > LINES_MAX) {
                findings.add(file + ": " + lines.size() + " lines, more than " + LINES_MAX);
            }
            if (file.endsWith("TidyTest.java")) continue;
            find(file, lines, BANNED, findings);
            if (file.toString().contains("src/test/")) find(file, lines, BANNED_IN_TESTS, findings);
        }
        assertEquals("", String.join("\n", findings));
    }

    private static void find(
            Path file, List<String> lines, Map<Pattern, String> bans, List<String> findings) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            for (var ban : bans.entrySet()) {
                if (!ban.getKey().matcher(line).find()) continue;
                findings.add(file + ":" + (i + 1) + ": " + ban.getValue() + ": " + line.strip());
            }
        }
    }

    @Test
    void noPackageIsAHeap() throws IOException {
        var sizes = new TreeMap<Path, Integer>();
        for (Path file : sources())
            if (file.toString().contains("src/main/java"))
                sizes.merge(file.getParent(), 1, Integer::sum);
        sizes.values().removeIf(count -> count <= FILES_MAX);
        assertEquals(Map.of(), sizes);
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

    /** Of the repository, whether the tests run there or in their module. */
    static Path root() {
        return Files.exists(Path.of("pom.xml")) && Files.exists(Path.of("core"))
                ? Path.of("")
                : Path.of("../..");
    }

    /** Of all modules, those of tests too. */
    static List<Path> sources() throws IOException {
        var sources = new ArrayList<Path>();
        for (String module :
                List.of(
                        "core",
                        "simulator",
                        "engines",
                        "storage",
                        "journals",
                        "wire",
                        "api",
                        "dialects",
                        "server",
                        "transfer",
                        "cli",
                        "tests")) {
            try (Stream<Path> files = Files.walk(root().resolve(module))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.toString().contains("/target/"))
                        .forEach(sources::add);
            }
        }
        return sources;
    }
}
