package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cli.Option;
import fairlead.cli.Verb;
import fairlead.cli.Verbs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The documents for users are true: what they tell to type works, and nothing is left out. */
class DocumentsTest {
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)\\)");

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
        var lines = new ArrayList<String>();
        boolean inside = false;
        for (String line : text(document).lines().toList()) {
            if (line.startsWith("```")) inside = line.equals("```sh");
            // This test is a part of ./check.
            else if (inside && !line.startsWith("./check")) lines.add(line);
        }
        assertFalse(lines.isEmpty(), document + " tells nothing to type");
        try (var fairlead = new Installation(folder.resolve("home"))) {
            for (String line : lines) fairlead.type(line).expect(0);
        }
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "CONTRIBUTING.md",
                "docs/act.md",
                "docs/philly.md",
                "docs/cli.md",
                "docs/spec.md",
                "docs/training.md",
                "docs/http.md",
                "docs/operations.md",
                "docs/ARCHITECTURE.md"
            })
    void itsLinksLeadSomewhere(String document) throws IOException {
        Path place = Installation.root().resolve(document).getParent();
        var link = LINK.matcher(text(document));
        while (link.find()) {
            assertTrue(Files.exists(place.resolve(link.group(1))), link.group());
        }
    }
}
