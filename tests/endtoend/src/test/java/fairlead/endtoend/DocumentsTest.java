package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import fairlead.cli.Verbs;
import fairlead.cli.line.Option;
import fairlead.cli.line.Verb;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The documents for users are true: what they tell to type works, and nothing is left out. */
class DocumentsTest {
    /** To a file, to a heading of it, or to a heading of the same document; not to the web. */
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:\\s]*)(?:#([^)]+))?\\)");

    @TempDir Path folder;

    private static String text(String document) throws IOException {
        return Files.readString(Installation.root().resolve(document));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/act.md",
                "docs/cli.md",
                "docs/spec.md",
                "docs/training.md"
            })
    void everyLineOfItsShellBlocksWorks(String document) throws IOException {
        List<String> lines =
                blocks(document).stream()
                        .filter(block -> block.kind().equals("sh"))
                        .flatMap(block -> block.lines().stream())
                        // This test is a part of ./check.
                        .filter(line -> !line.startsWith("./check"))
                        .toList();
        assertFalse(lines.isEmpty(), document + " tells nothing to type");
        try (var fairlead = new Installation(folder.resolve("home"))) {
            for (String line : lines) fairlead.type(line).expect(0);
        }
    }

    /**
     * Each block of shell lines is typed into one shell; the block of text after it, if there is
     * one, has lines that are then seen. There, dots stand for what differs from day to day.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs/examples.md",
                "docs/from-act.md",
                "docs/from-openpai.md",
                "docs/from-runai.md",
                "docs/from-skypilot.md",
                "docs/from-slurm.md"
            })
    void itsShellBlocksWorkAndPrintWhatItShows(String document) throws IOException {
        int shown = 0;
        try (var fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 4")) {
            List<String> printed = List.of();
            for (Block block : blocks(document)) {
                if (block.kind().equals("sh")) {
                    String script = "set -e\n" + String.join("\n", block.lines());
                    printed = fairlead.type(script).expect(0).out().lines().toList();
                } else if (block.kind().equals("text")) {
                    for (String line : block.lines()) assertSeen(line, printed);
                    shown += block.lines().size();
                }
            }
        }
        assertTrue(shown > 0, document + " shows no output");
    }

    private static void assertSeen(String line, List<String> printed) {
        String open = line.replaceAll("\\d{10}_[0-9a-f]{8}", "...");
        var like =
                Pattern.compile(
                        Stream.of(open.split("\\.\\.\\.", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*")));
        if (printed.stream().noneMatch(seen -> like.matcher(seen).matches()))
            fail("no line like '" + line + "' in\n" + String.join("\n", printed));
    }

    /** Lines between two fences, and the word after the first. */
    private record Block(String kind, List<String> lines) {}

    private static List<Block> blocks(String document) throws IOException {
        var blocks = new ArrayList<Block>();
        Block open = null;
        for (String line : text(document).lines().toList()) {
            if (open == null && line.startsWith("```")) {
                open = new Block(line.substring(3), new ArrayList<>());
            } else if (line.equals("```")) {
                blocks.add(open);
                open = null;
            } else if (open != null) {
                open.lines().add(line);
            }
        }
        return blocks;
    }

    @Test
    void theCommandLinesDocumentNamesEveryVerbAndOption() throws IOException {
        String document = text("docs/cli.md");
        var missing = new ArrayList<String>();
        for (Verb verb : Verbs.all()) {
            for (String name : verb.usage().names()) {
                if (!document.contains("`" + name)) missing.add(name);
            }
            for (Option option : verb.usage().options()) {
                if (!document.contains("`" + option.name())) missing.add(option.name());
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void theJobFilesDocumentNamesEveryField() throws IOException {
        String schema = text("server/src/main/resources/fairlead/server/job.schema.json");
        String document = text("docs/spec.md");
        var field = Pattern.compile("\"(\\w+)\": \\{\\s*\"(?:type|\\$ref)\"").matcher(schema);
        var missing = new ArrayList<String>();
        int fields = 0;
        for (; field.find(); fields++) {
            if (!document.contains("`" + field.group(1) + "`")) missing.add(field.group(1));
        }
        assertTrue(fields > 14, "the schema reads differently now: " + fields);
        missing.removeAll(List.of("items", "role", "propertyNames", "additionalProperties"));
        assertEquals(List.of(), missing);
    }

    @Test
    void everyLinkBetweenDocumentsLeadsToAFileAndAHeading() throws IOException {
        var broken = new ArrayList<String>();
        int links = 0;
        for (Path document : documents()) {
            var link = LINK.matcher(Files.readString(document));
            for (; link.find(); links++) {
                Path target =
                        link.group(1).isEmpty()
                                ? document
                                : document.resolveSibling(link.group(1)).normalize();
                boolean leads =
                        Files.exists(target)
                                && (link.group(2) == null
                                        || headings(target).contains(link.group(2)));
                if (!leads) broken.add(document.getFileName() + " " + link.group());
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(links > 100, "links read differently now: " + links);
    }

    private static List<Path> documents() throws IOException {
        Path root = Installation.root();
        var documents = new ArrayList<Path>();
        try (var top = Files.list(root);
                var docs = Files.walk(root.resolve("docs"))) {
            Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .forEach(documents::add);
        }
        return documents;
    }

    /** As GitHub makes anchors of them. */
    private static Set<String> headings(Path document) throws IOException {
        return Files.readAllLines(document).stream()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                .map(text -> text.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
