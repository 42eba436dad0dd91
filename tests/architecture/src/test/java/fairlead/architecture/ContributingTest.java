package fairlead.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that CONTRIBUTING.md says one must touch are the true ones: each of its lists ends with
 * an example that is in the tree, and all files of the programs that name it.
 */
class ContributingTest {
    private static final Pattern EXAMPLE =
            Pattern.compile(
                    "For example, (?<what>.+?) is named(?:, outside of (?<own>.+?),)? in"
                            + " (?<files>.+?`)\\.");

    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    /** What is built and shipped, and what builds and checks it. */
    private static final Pattern PROGRAMS =
            Pattern.compile("(?!tests/|bench/)(.*/src/main/.*|(.*/)?pom\\.xml|build|check)");

    /** The lists that there must be an example for. */
    private static final List<String> ADDED =
            List.of(
                    "a verb",
                    "a field to the spec",
                    "a policy",
                    "an engine",
                    "a storage",
                    "a dialect");

    @TestFactory
    Stream<DynamicTest> whatIsAddedIsNamedWhereThePageSays() throws IOException {
        List<Path> programs = programs();
        return examples().entrySet().stream()
                .map(
                        each ->
                                DynamicTest.dynamicTest(
                                        each.getKey(), () -> check(each.getValue(), programs)));
    }

    @Test
    void everyListHasAnExample() throws IOException {
        assertEquals(ADDED, List.copyOf(examples().keySet()));
    }

    private static SequencedMap<String, String> examples() throws IOException {
        var examples = new LinkedHashMap<String, String>();
        String page = Files.readString(TidyTest.root().resolve("CONTRIBUTING.md"));
        for (String section : page.split("\n## Add ")) {
            String text = section.replaceAll("\\s+", " ");
            Matcher example = EXAMPLE.matcher(text);
            if (example.find()) examples.put(section.lines().findFirst().orElseThrow(), text);
        }
        return examples;
    }

    private static void check(String section, List<Path> programs) throws IOException {
        Matcher example = EXAMPLE.matcher(section);
        example.find();
        var name = Pattern.compile(String.join("|", names(example.group("what"))));
        List<String> own = quoted(example.group("own"));
        Set<String> said = new TreeSet<>(quoted(example.group("files")));
        Set<String> found = new TreeSet<>();
        for (Path file : programs) {
            String path = path(file);
            if (own.stream().anyMatch(folder -> path.contains(folder + "/"))) continue;
            // Not every file of a program is a text.
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            if (!name.matcher(text).find()) continue;
            found.add(said.stream().filter(each -> isCalled(path, each)).findAny().orElse(path));
        }
        assertEquals(said, found);
    }

    /** A source by the end of its path, anything else by all of it. */
    private static boolean isCalled(String path, String name) {
        return path.equals(name) || path.contains("/src/main/") && path.endsWith("/" + name);
    }

    /** A module may be named by its folder, its package or its artifact, a class by itself. */
    private static List<String> names(String what) {
        return quoted(what).stream()
                .map(name -> "\\b" + name.replaceFirst("s?/", "s?[-/.]") + "\\b")
                .toList();
    }

    private static List<String> quoted(String text) {
        var quoted = new ArrayList<String>();
        if (text == null) return quoted;
        Matcher found = QUOTED.matcher(text);
        while (found.find()) quoted.add(found.group(1));
        return quoted;
    }

    private static List<Path> programs() throws IOException {
        var programs = new ArrayList<Path>();
        Files.walkFileTree(
                TidyTest.root(),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        // What other tests write meanwhile is nobody's source.
                        boolean isBuilt = path(folder).matches("(.*/)?(target|\\.[^/.]+)");
                        return isBuilt ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (PROGRAMS.matcher(path(file)).matches()) programs.add(file);
                        return FileVisitResult.CONTINUE;
                    }
                });
        return programs;
    }

    private static String path(Path file) {
        return TidyTest.root().relativize(file).toString();
    }
}
