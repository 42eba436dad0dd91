package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cli.help.PageText;
import fairlead.cli.help.Topics;
import fairlead.cli.terminal.Paint;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pages of docs in a terminal. */
class HelpTopicsTest {
    @TempDir Path folder;
    private final Shell shell = new Shell();

    @Test
    void everyPageOfDocsIsATopic() throws IOException {
        try (var files = Files.newDirectoryStream(Path.of("..", "docs"), "*.md")) {
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".md", "");
                var shown = shell.type("help", name.toLowerCase(java.util.Locale.ROOT) + ".md");
                assertEquals(0, shown.code(), shown.err());
                String title = Files.readAllLines(file).getFirst().replaceFirst("# ", "");
                assertTrue(shown.out().startsWith(title.replace("`", "") + "\n"), shown.out());
            }
        }
        assertTrue(shell.type("help", "slurm").out().startsWith("From Slurm\n"), "by its name");
        for (String line : new String[] {"help", "help --all"}) {
            String all = shell.type(line.split(" ")).out();
            for (String name : Topics.names()) assertTrue(all.contains(" " + name), name);
        }
    }

    @Test
    void aPageIsReadableWithoutABrowser() {
        String page =
                """
                # A title

                Words of a paragraph that goes
                on, with `code`, **bold** and a [link](other.md#there), and one
                [elsewhere](https://example.org).

                - an item that is
                  long enough to need another line
                - next

                ```sh
                fairlead list     # as typed
                ```

                | key | is |
                |---|---|
                | `a` | one |
                | `b\\|c` | two |

                | verb | does |
                |---|---|
                | `list` | shows jobs in so many words that no column could hold them |
                """;
        assertEquals(
                """
                A title

                Words of a paragraph that goes on, with
                code, bold and a link, and one elsewhere
                (https://example.org).

                - an item that is long enough to need
                  another line
                - next

                    fairlead list     # as typed

                key  is
                a    one
                b|c  two

                list
                    shows jobs in so many words that no
                    column could hold them
                """,
                PageText.of(page, new Paint(false), 42));
    }

    @Test
    void aVerbGoesBeforeATopicAndNamesIt() {
        String verb = shell.type("help", "spec").out();
        assertTrue(verb.startsWith("usage: fairlead spec "), verb);
        assertTrue(verb.endsWith("'fairlead help spec.md' shows the page of docs.\n"), verb);
        var unknown = shell.type("help", "sheduling");
        assertEquals(2, unknown.code());
        assertTrue(
                unknown.err()
                        .startsWith(
                                "fairlead: there is no verb and no topic 'sheduling'. Did you mean"
                                        + " 'scheduling'?\nThe topics: act, architecture, "),
                unknown.err());
    }

    @Test
    void onATerminalThePageGoesThroughThePager() throws IOException {
        Path seen = folder.resolve("seen");
        shell.folder = folder;
        shell.environment.put("PATH", System.getenv("PATH"));
        shell.environment.put("NO_COLOR", "1");
        shell.environment.put("PAGER", "cat >" + seen);
        assertTrue(shell.type("help", "scheduling").out().length() > 1_000, "nobody watches");
        assertTrue(Files.notExists(seen));
        shell.terminal = true;
        assertEquals("", shell.type("help", "scheduling").out());
        assertTrue(Files.readString(seen).length() > 1_000);
        shell.environment.put("PAGER", "nosuchpager");
        assertTrue(shell.type("help", "scheduling").out().length() > 1_000);
    }
}
