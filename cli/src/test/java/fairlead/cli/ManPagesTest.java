package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The man pages, as man shows them. */
class ManPagesTest {
    @TempDir Path folder;

    private String shown(Path page) throws IOException, InterruptedException {
        Path errors = folder.resolve("errors");
        var builder =
                new ProcessBuilder("man", "--warnings=w", "-E", "UTF-8", "-l", page.toString())
                        .redirectError(errors.toFile());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("MANWIDTH", "100");
        builder.environment().put("MANPAGER", "cat");
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), page + ": " + Files.readString(errors));
        assertEquals("", Files.readString(errors), page.toString());
        return text.replaceAll(".\b", "");
    }

    @Test
    void everyVerbHasAPageWithoutWarnings() throws IOException, InterruptedException {
        ManPages.write(folder, "1.2.3");
        try (var pages = Files.newDirectoryStream(folder, "*.1")) {
            for (Path page : pages) assertTrue(shown(page).contains("fairlead 1.2.3"), "" + page);
        }
        String list = shown(folder.resolve("fairlead-list.1"));
        for (String words :
                List.of(
                        "fairlead-list - show jobs: the active ones",
                        "fairlead list [OPTIONS] [JOB...]",
                        "-o, --output FORM",
                        "fairlead list --state failed --limit 5",
                        "the last five that failed")) assertTrue(list.contains(words), list);
        String all = shown(folder.resolve("fairlead.1"));
        assertTrue(all.contains("list, ps, status") && all.contains("scheduling"), all);
        // What is typed comes out as it is.
        String submit = shown(folder.resolve("fairlead-spec.1"));
        assertTrue(submit.contains("fairlead spec 60ce2fc7 | fairlead submit -f -"), submit);
    }
}
