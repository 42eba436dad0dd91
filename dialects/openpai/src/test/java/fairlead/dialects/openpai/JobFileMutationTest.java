package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;

import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * Goal: as in {@link JobFileFuzzTest}, quickly and in the same way each time. Method: each seed
 * changes real files a few times, mostly by pieces of a job, so that many are still taken.
 */
class JobFileMutationTest {
    private static final List<String> PIECES =
            List.of(
                    "\"",
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    ":",
                    "//",
                    "\n",
                    "\\",
                    "null",
                    "true",
                    "-1",
                    "0",
                    "1",
                    "1.5",
                    "1e3",
                    "\"7\"",
                    "\"\"",
                    "\"x\"",
                    "\"a-b\"",
                    " ",
                    "-2",
                    "\"shmMB\": 64,",
                    "\"jobEnvs\": {\"a\": [1]},",
                    "\"retryCount\": \"-1\",",
                    "\"minFailedTaskCount\": null,",
                    "\"portList\": [{\"label\": \"w\"}],",
                    "\"foo\": 1,",
                    "\\u0000",
                    "\ud800",
                    "\"virtualCluster\": \"\",",
                    "\"shmMB\": 99999999,",
                    "\"minFailedTaskCount\": 1000,",
                    "\"jobEnvs\": {\"-\": 1},",
                    "\"retryCount\": -3,");

    /** Around what the schema allows somewhere. */
    private static final List<String> NUMBERS =
            List.of("-3", "-2", "-1", "0", "1", "2", "63", "99", "100", "1000000", "1e9", "null");

    private static final Pattern NUMBER = Pattern.compile("(?<=: ?)\\d+");
    private static final Pattern NAME = Pattern.compile("(?<=\"name\": ?)\"[^\"]*\"");

    private static final int ROUNDS = 200;

    private record Count(int taken, int refused) {}

    @Seeds(20)
    void aFileIsReadOrRefused(long seed) throws IOException {
        changed(seed);
    }

    @Test
    void someChangedFilesAreTakenAndMostAreNot() throws IOException {
        Count count = changed(1);
        assertTrue(count.taken() >= ROUNDS / 20 && count.refused() >= ROUNDS / 2, count.toString());
    }

    private static Count changed(long seed) throws IOException {
        var dice = new SplittableRandom(seed);
        List<Path> files = JobFileTest.realFiles();
        int taken = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var text = new StringBuilder(Files.readString(files.get(dice.nextInt(files.size()))));
            for (int i = dice.nextInt(3); i >= 0; i--) change(text, dice);
            if (isTaken(text.toString())) taken++;
        }
        return new Count(taken, ROUNDS - taken);
    }

    private static void change(StringBuilder text, SplittableRandom dice) {
        int from = dice.nextInt(text.length());
        String piece = PIECES.get(dice.nextInt(PIECES.size()));
        switch (dice.nextInt(7)) {
            case 0 -> text.insert(from, piece);
            case 1 -> text.replace(from, Math.min(text.length(), from + piece.length()), piece);
            case 2 -> text.delete(from, Math.min(text.length(), from + 1 + dice.nextInt(8)));
            case 3 -> replace(text, NUMBER, NUMBERS.get(dice.nextInt(NUMBERS.size())), from);
            // Two roles of one name, where there are two.
            case 4 -> replace(text, NAME, "\"worker\"", from);
            case 5 -> text.append(piece);
            default -> {
                // Before a field, where a piece has the best chance to make sense.
                int field = text.indexOf("\"", from);
                text.insert(Math.max(field, 0), piece);
            }
        }
    }

    /** The next match, if there is one. */
    private static void replace(StringBuilder text, Pattern what, String with, int from) {
        var found = what.matcher(text);
        if (found.find(from)) text.replace(found.start(), found.end(), with);
    }

    private static boolean isTaken(String text) throws JsonProcessingException {
        JobFile read;
        try {
            read = JobFile.ofFile(text);
        } catch (Invalid _) {
            return false;
        }
        Schema.check(text, read.submitted());
        return true;
    }
}
