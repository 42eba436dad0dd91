package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Problem;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Goal: no config file whatever makes the reader fail otherwise than with problems that name a file
 * and a line and no secret. Method: lines and characters of good files are changed under dice from
 * the seed.
 */
class ConfigMutationTest {
    private static final List<String> FILES =
            List.of(
                    ConfigFolder.AML,
                    ConfigFolder.ACCOUNT,
                    "aux_data/aml/config.json",
                    "aux_data/configs/philly_vc.yaml");

    private static final List<String> TEXTS =
            List.of(
                    ConfigFolder.DOCUMENTED + "engine: {cluster: local}\n",
                    ConfigFolder.ACCOUNT_TEXT,
                    "{\n \"subscription_id\": \"1\",\n \"resource_group\": \"g\",\n"
                            + " \"workspace_name\": \"w\"\n}\n",
                    """
                    engine: {wu1: local}
                    blob_mount_info:
                        - blob_mount_point: /blob
                          azure_blob_config_file: aux_data/configs/vigeastblob_account.yaml
                    config_param:
                        code_path: /blob/code.zip
                        data_folder: /hdfs/data
                    docker: {image: a/b, tag: c}
                    """);

    private static final List<String> SPLINTERS =
            List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    ":",
                    ": ",
                    "- ",
                    "&a ",
                    "*a",
                    "!!x ",
                    "?",
                    "? ",
                    "|",
                    ">",
                    "'",
                    "\"",
                    "#",
                    "\t",
                    "\0",
                    "..",
                    "/",
                    "null",
                    "~",
                    "%",
                    "@",
                    "\n",
                    "\r",
                    "  ",
                    "_base_: aml.yaml\n",
                    "<<: *a\n",
                    "\uFEFF",
                    "😀",
                    "---\n",
                    "...\n",
                    "\\");

    @TempDir Path folder;

    @Seeds(200)
    void aChangedFileIsReadOrToldWithItsLine(long seed) {
        var dice = new SplittableRandom(seed);
        var files = new ConfigFolder(folder);
        int victim = dice.nextInt(FILES.size());
        for (int i = 0; i < FILES.size(); i++) {
            files.with(FILES.get(i), i == victim ? changed(TEXTS.get(i), dice) : TEXTS.get(i));
        }
        check(files::config);
        check(files::philly);
    }

    private interface Read {
        Object read() throws ConfigException;
    }

    private static void check(Read read) {
        try {
            assertNotNull(read.read());
        } catch (ConfigException e) {
            for (Problem problem : e.problems()) {
                assertTrue(problem.line() >= 1, problem::toString);
                assertFalse(problem.message().isBlank());
                assertTrue(problem.file().startsWith("aux_data"), problem::toString);
                assertFalse(problem.message().contains("verysecret"), problem::toString);
            }
        }
    }

    private static String changed(String text, SplittableRandom dice) {
        String changed = text;
        int changes = 1 + dice.nextInt(4);
        for (int i = 0; i < changes; i++) {
            changed = dice.nextBoolean() ? lines(changed, dice) : characters(changed, dice);
        }
        return changed;
    }

    private static String lines(String text, SplittableRandom dice) {
        var lines = new ArrayList<>(List.of(text.split("\n", -1)));
        int at = dice.nextInt(lines.size());
        switch (dice.nextInt(4)) {
            case 0 -> lines.remove(at);
            case 1 -> lines.add(at, lines.get(dice.nextInt(lines.size())));
            case 2 -> lines.set(at, " ".repeat(dice.nextInt(8)) + lines.get(at).strip());
            default -> lines.set(at, lines.get(at).replaceFirst(":.*", ": null"));
        }
        return String.join("\n", lines);
    }

    private static String characters(String text, SplittableRandom dice) {
        int from = dice.nextInt(text.length() + 1);
        int to = Math.min(text.length(), from + dice.nextInt(5));
        String splinter = SPLINTERS.get(dice.nextInt(SPLINTERS.size()));
        return text.substring(0, from) + splinter + text.substring(to);
    }
}
