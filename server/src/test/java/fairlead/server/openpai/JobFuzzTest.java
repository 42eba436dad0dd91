package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.JobFile;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;
import fairlead.testing.OneSeed;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Goal: no job file is a bug, and none is taken that the schema forbids. Method: real files,
 * changed by dice of the seed, over real HTTP; each seed gives the same calls again.
 */
final class JobFuzzTest {
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
                    "1.5",
                    "1e3",
                    "1e309",
                    "99999999999999999999",
                    "\"7\"",
                    "\"\"",
                    "\"x\"",
                    " ",
                    "\"a-b\"",
                    "\"shmMB\": 64,",
                    "\"jobEnvs\": {\"a\": [1]},",
                    "\\u0000",
                    "\\ud800",
                    "\"retryCount\": \"-1\",",
                    "\"minFailedTaskCount\": null,",
                    "\"foo\": 1,",
                    "\"portList\": [{\"label\": \"w\", \"beginAt\": 1, \"portNumber\": 65535}],",
                    "\"virtualCluster\": \"none\",",
                    "\"gpuType\": \"A100\",",
                    "\u00e9",
                    "\0");

    @TempDir static Path folder;
    private static TestServer server;
    private static Pai ann;
    private static List<String> files;

    @BeforeAll
    static void start() throws Exception {
        server = new TestServer(folder, new TestEngine(2));
        ann = Pai.owner(server);
        files = realFiles();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static List<String> realFiles() throws IOException {
        Path all = Path.of("../dialects/openpai/src/test/resources/openpai-jobs");
        try (var found = Files.walk(all)) {
            var texts =
                    found.filter(file -> file.toString().endsWith(".json"))
                            .sorted()
                            .map(JobFuzzTest::text)
                            .toList();
            assertEquals(16, texts.size());
            return texts;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noChangedFileIsABugOrTakenAgainstTheSchema() throws Exception {
        long seed = OneSeed.or(20_261_115L);
        int calls = Integer.getInteger("fairlead.fuzz", 1_500);
        var dice = new SplittableRandom(seed);
        var seen = new TreeMap<Integer, Integer>();
        for (int i = 0; i < calls; i++) {
            var text = new StringBuilder(files.get(dice.nextInt(files.size())));
            for (int changes = dice.nextInt(4); changes > 0; changes--) change(text, dice);
            String body = text.toString();
            String target = "/user/fuzz/jobs/f" + i;
            var response = ann.call("PUT", target, body);
            String told =
                    "seed %d call %d: %s -> %d %s"
                            .formatted(seed, i, body, response.statusCode(), response.body());
            assertTrue(response.statusCode() < 500, told);
            Map<String, Object> answer = JsonTree.object(JsonTree.read(response.body()));
            switch (response.statusCode()) {
                case 202 -> {
                    assertTrue(isValid(body), told);
                    assertEquals(body, ann.call("GET", target + "/config", null).body(), told);
                    ann.must(202, "DELETE", target, null);
                }
                case 400 -> {
                    assertEquals(Set.of("code", "message"), answer.keySet(), told);
                    assertEquals("InvalidParametersError", answer.get("code"), told);
                }
                default -> assertEquals("NoVirtualClusterError", answer.get("code"), told);
            }
            seen.merge(response.statusCode(), 1, Integer::sum);
        }
        assertTrue(
                seen.getOrDefault(202, 0) > calls / 20 && seen.getOrDefault(400, 0) > calls / 4,
                "both kinds: " + seen);
        assertEquals(200, server.get("/healthz").statusCode());
    }

    /** What the dialect's own tests hold against a second reader and a second schema. */
    private static boolean isValid(String body) {
        try {
            JobFile.ofRequest(body);
            return true;
        } catch (Invalid _) {
            return false;
        }
    }

    private static void change(StringBuilder text, SplittableRandom dice) {
        int from = dice.nextInt(text.length());
        String piece = PIECES.get(dice.nextInt(PIECES.size()));
        switch (dice.nextInt(4)) {
            case 0 -> text.insert(from, piece);
            case 1 -> text.replace(from, Math.min(text.length(), from + piece.length()), piece);
            case 2 -> text.delete(from, Math.min(text.length(), from + 1 + dice.nextInt(8)));
            default -> text.insert(Math.max(text.indexOf("\"", from), 0), piece);
        }
    }

    @Test
    void everyRealFileWithoutCommentsComesBackUnchanged() throws Exception {
        int taken = 0;
        for (int i = 0; i < files.size(); i++) {
            String file = files.get(i);
            String target = "/user/real/jobs/r" + i;
            if (!isValid(file)) {
                ann.refused(400, "InvalidParametersError", "PUT", target, file);
                continue;
            }
            ann.must(202, "PUT", target, file);
            assertEquals(file, ann.call("GET", target + "/config", null).body());
            taken++;
        }
        assertEquals(15, taken, "all but the one with comments");
    }
}
