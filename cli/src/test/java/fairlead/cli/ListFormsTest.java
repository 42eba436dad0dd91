package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/** The same jobs for people and for programs. */
class ListFormsTest {
    @Test
    void theJobsOfAnArrayAreATableOrTheServersAnswer() throws IOException {
        try (var server = new FakeServer()) {
            Shell shell = Shell.of(server);
            String array = shell.type("submit", "--array", "0-2", "echo {i}").out().strip();
            assertEquals(1 + 3, shell.type("list", array).out().lines().count());
            String json = shell.type("list", "--json", array).out();
            assertTrue(json.startsWith("{\"jobs\":[{\"id\":"), json);
            String yaml = shell.type("list", "-o", "yaml", array).out();
            assertTrue(yaml.startsWith("jobs:\n  - id: "), yaml);
        }
    }

    @Test
    void anArrayIsOneRowWithItsProgress() throws IOException {
        try (var server = new FakeServer()) {
            Shell shell = Shell.of(server);
            shell.type("submit", "--name", "alone", "echo", "hi");
            server.stateOfNew = "queued";
            String array = shell.type("submit", "--array", "0-4", "echo {i}").out().strip();
            var jobs = server.array(array);
            jobs.get(0).state("succeeded", 0);
            jobs.get(1).state("failed", 3);
            String listed = shell.type("list").out();
            assertEquals(1 + 2, listed.lines().count(), listed);
            String row = listed.lines().skip(1).findFirst().orElseThrow();
            assertTrue(row.startsWith(array + "  ") && row.endsWith("  echo {i}"), row);
            assertTrue(row.contains("  2 of 5, 1 failed  "), row);
            assertTrue(shell.type("list", "-o", "wide").out().contains("2 of 5, 1 failed"));
            jobs.get(2).state("cancelled", 143);
            assertTrue(shell.type("list", "-a").out().contains("3 of 5, 1 failed, 1 aborted"));
            // The jobs themselves, by a flag, by their array, by a state, and for programs.
            assertEquals(1 + 6, shell.type("list", "--jobs").out().lines().count());
            assertEquals(1 + 5, shell.type("list", array).out().lines().count());
            assertEquals(1 + 1, shell.type("list", "--state", "failed").out().lines().count());
            assertEquals(6, shell.type("list", "-o", "name").out().lines().count());
            String json = shell.type("list", "--json").out();
            assertEquals(6, json.split("\"id\":").length - 1, json);
            assertTrue(!json.contains("arrays"), json);
        }
    }

    @Test
    void itIsSortedBeforeTheLimitCounts() throws IOException {
        try (var server = new FakeServer()) {
            for (String id : List.of("a_1_000000a1", "c_1_000000c3", "b_1_000000b2"))
                server.add(new FakeJob(id, "running"));
            for (String first : List.of("id | a_1_000000a1", "-id | c_1_000000c3")) {
                String[] parts = first.split(" \\| ");
                String line = "list -o name --limit 1 --sort " + parts[0];
                var result = Shell.of(server).type(line.split(" "));
                assertEquals(parts[1] + "\n", result.out());
                assertEquals("fairlead: there are more; --limit N shows them\n", result.err());
            }
        }
    }

    @Test
    void anArraysNameStandsForAllItsJobs() throws IOException {
        try (var server = new FakeServer()) {
            Shell shell = Shell.of(server);
            server.stateOfNew = "running";
            shell.type("submit", "--array", "0-2", "echo {i}");
            assertEquals(1 + 3, shell.type("list", "train").out().lines().count());
            assertEquals(3, shell.type("abort", "train").out().lines().count());
            assertEquals(1, shell.type("wait", "train").code());
            assertEquals(3, shell.type("delete", "train").out().lines().count());
        }
    }

    @Test
    void aMistypedStateIsAnsweredInTheWordsOfTheList() throws IOException {
        try (var server = new FakeServer()) {
            var result = Shell.of(server).type("list", "--state", "abortet");
            assertEquals(2, result.code());
            assertTrue(
                    result.err()
                            .startsWith(
                                    "fairlead: --state is active, finished, queued, starting,"
                                            + " running, stopping, succeeded, failed, aborted, not"
                                            + " 'abortet'. Did you mean 'aborted'?"),
                    result.err());
        }
    }
}
