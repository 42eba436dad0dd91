package fairlead.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * docs/conformance.md has one row for each item, and each item that it says to be there is cited by
 * a test: in the name of a test, such as {@code a30a31NodesAndProcesses} or {@code
 * test_d13_the_local_rank}, or in a comment of one, such as "(A25 to A28)".
 */
class ConformanceTest {
    private static final Pattern ROW =
            Pattern.compile("\\| ([APROD])(\\d+) \\| .+ \\| (works|differs: .+|missing: .+) \\|");

    /** How many items each system has; they never change, as tests and commits cite them. */
    private static final Map<String, Integer> ITEMS =
            Map.of("A", 70, "P", 29, "R", 52, "O", 87, "D", 35);

    /** Typed by a person, as {@code ./check} does not install TensorBoard. */
    private static final Set<String> SEEN_BY_HAND = Set.of("D34");

    private static final Pattern TEST_NAME =
            Pattern.compile("\\bvoid ([aprod]\\d\\w*)\\(|\\bdef test_([aprod]\\d\\w*)\\(");

    private static final Pattern COMMENT = Pattern.compile("^\\s*(/?\\*|//|#|\"\"\"|test\\(\").*");

    private static final Pattern CITED =
            Pattern.compile("\\b([APROD])([1-9]\\d?)\\b(?: to [APROD]([1-9]\\d?))?");

    /** An item at the beginning or after another one: o2ToO16, o29And33, a10a13, d16_d19. */
    private static final Pattern CITED_IN_NAME =
            Pattern.compile("\\G(?:(To|And|_)?([aprodAPROD]?)(\\d+))");

    @Test
    void everyItemHasOneRowWithItsState() throws IOException {
        var bad = new ArrayList<String>();
        for (String line : page())
            if (line.matches("\\| [A-Z]\\d+ .*") && !ROW.matcher(line).matches()) bad.add(line);
        assertEquals(List.of(), bad, "a state is works, differs: WHY or missing: WHAT");
        var expected = new ArrayList<String>();
        for (String system : List.of("A", "P", "R", "O", "D"))
            IntStream.rangeClosed(1, ITEMS.get(system)).forEach(n -> expected.add(system + n));
        assertEquals(expected, rows().stream().map(Row::item).toList());
    }

    @Test
    void whatThePageSaysIsCitedByATest() throws IOException {
        Set<String> cited = citations().keySet();
        List<String> uncited =
                rows().stream()
                        .filter(row -> !row.state().startsWith("missing"))
                        .map(Row::item)
                        .filter(item -> !cited.contains(item))
                        .toList();
        assertEquals(List.copyOf(SEEN_BY_HAND), uncited);
    }

    @Test
    void noTestCitesWhatThePageDoesNotHave() throws IOException {
        Map<String, Path> unknown = citations();
        rows().forEach(row -> unknown.remove(row.item()));
        assertEquals(Map.of(), unknown);
    }

    private record Row(String item, String state) {}

    private static List<String> page() throws IOException {
        return Files.readAllLines(TidyTest.root().resolve("docs/conformance.md"));
    }

    private static List<Row> rows() throws IOException {
        return page().stream()
                .map(ROW::matcher)
                .filter(row -> row.matches())
                .map(row -> new Row(row.group(1) + row.group(2), row.group(3)))
                .toList();
    }

    /** Each item that a test cites, with one file that does. */
    private static Map<String, Path> citations() throws IOException {
        var citations = new TreeMap<String, Path>();
        for (Path file : tests())
            for (String line : Files.readAllLines(file))
                for (String item : cited(line)) citations.put(item, file);
        return citations;
    }

    private static List<Path> tests() throws IOException {
        var tests = new ArrayList<Path>();
        for (Path file : TidyTest.sources())
            if (file.toString().contains("src/test/") && !file.endsWith("ConformanceTest.java"))
                tests.add(file);
        try (Stream<Path> files = Files.list(TidyTest.root().resolve("python/tests"))) {
            files.filter(file -> file.toString().endsWith(".py")).forEach(tests::add);
        }
        tests.add(TidyTest.root().resolve("portal/tests/run.mjs"));
        return tests;
    }

    private static Set<String> cited(String line) {
        var items = new TreeSet<String>();
        var name = TEST_NAME.matcher(line);
        if (name.find()) {
            String system = "";
            int last = 0;
            var item = CITED_IN_NAME.matcher(name.group(1) != null ? name.group(1) : name.group(2));
            while (item.find()) {
                if (!item.group(2).isEmpty()) system = item.group(2).toUpperCase();
                int number = Integer.parseInt(item.group(3));
                add(items, system, "To".equals(item.group(1)) ? last : number, number);
                last = number;
            }
        }
        if (COMMENT.matcher(line).matches()) {
            var item = CITED.matcher(line);
            while (item.find()) {
                int first = Integer.parseInt(item.group(2));
                int last = item.group(3) == null ? first : Integer.parseInt(item.group(3));
                add(items, item.group(1), first, last);
            }
        }
        return items;
    }

    private static void add(Set<String> items, String system, int first, int last) {
        for (int number = first; number <= last; number++) items.add(system + number);
    }
}
