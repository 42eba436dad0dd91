package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** docs/openpai.md names every field and every variable, and no other. */
class OpenPaiDocsTest {
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    /** The names in the first column of the table whose head starts with that word. */
    private static Set<String> firstColumn(String head) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../../docs/openpai.md"));
        int row = lines.indexOf(head) + 2;
        var names = new TreeSet<String>();
        for (; lines.get(row).startsWith("|"); row++) {
            String column = lines.get(row).split("\\|")[1];
            NAME.matcher(column).results().forEach(found -> names.add(found.group(1)));
        }
        return names;
    }

    @Test
    void everyFieldIsDocumented() throws IOException {
        assertEquals(
                new TreeSet<>(Schema.JOB), firstColumn("| field | default | is, and its limit |"));
        assertEquals(
                new TreeSet<>(Schema.ROLE),
                firstColumn("| field of a role | default | is, and its limit |"));
    }

    @Test
    void everyVariableIsDocumented() throws IOException, Invalid {
        var task =
                new TaskPlace("main", 0, "h", "c", Map.of("http", List.of(1), "ssh", List.of(2)));
        var variables =
                new Variables(
                        Jobs.read(Jobs.withRole("taskNumber", "1")),
                        new Variables.Attempt("ann", "f", "a"),
                        List.of(task));
        var names = new TreeSet<String>(Set.of("PAI_WORK_DIR"));
        for (String name : variables.of(task).keySet()) {
            names.add(
                    name.replaceAll("_(http|ssh)_PORT", "_<label>_PORT")
                            .replace("PAI_main_0_", "PAI_<role>_<index>_")
                            .replace("_main_", "_<role>_"));
        }
        assertEquals(names, firstColumn("| variable | is |"));
    }
}
