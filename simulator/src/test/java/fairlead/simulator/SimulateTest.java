package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command as a user meets it: arguments and files in, a table or a complaint out. */
class SimulateTest {
    private static final String HEADER = "job_id,submit_s,gpus,duration_s\n";
    private static final String GOOD = HEADER + "a,0,1,10\nb,1.5,4,20\n";

    @TempDir Path folder;

    private record Said(int code, String out, String err) {}

    @Test
    void theTableHasALineForEachPolicyInTheOrderAsked() throws IOException {
        Said said = simulate(GOOD, "--policy", "srgf,fifo");
        assertEquals("", said.err());
        List<String> lines = said.out().lines().toList();
        assertEquals(3, lines.size());
        assertTrue(lines.getFirst().startsWith("policy  knows "), lines.getFirst());
        assertTrue(lines.get(1).startsWith("srgf    oracle  "), lines.get(1));
        assertTrue(lines.get(2).startsWith("fifo    nothing "), lines.get(2));
        assertEquals(lines.get(1).length(), lines.get(2).length());
    }

    @Test
    void jsonAndCsvHaveTheSameNumbers() throws IOException {
        Path csv = folder.resolve("out.csv");
        Said said = simulate(GOOD, "--policy", "fifo", "--json", "--csv", csv.toString());
        assertEquals(0, said.code(), said.err());
        assertEquals(
                """
                [
                  {"policy":"fifo","knows":"nothing","jobs":2,"meanSeconds":19.25,"medianSeconds":10.0,\
                "p90Seconds":28.5,"p99Seconds":28.5,"makespanSeconds":30.0,"gpuUse":0.75,\
                "preemptions":0,"shockwaveWorst":1.425,"shockwaveUnfair":0.5,"themisWorst":1.0976,\
                "themisUnfair":0.5,"bothUnfair":0.5}
                ]
                """,
                said.out().replaceAll("(\\.[0-9]{4})[0-9]+", "$1"));
        List<String> lines = Files.readAllLines(csv);
        assertEquals(2, lines.size());
        assertTrue(lines.getFirst().startsWith("policy,knows,jobs,meanSeconds,"));
        assertTrue(lines.getLast().startsWith("fifo,nothing,2,19.25,10.0,28.5,28.5,30.0,0.75,0,"));
    }

    @Test
    void theSameSeedAndTraceGiveTheSameOutput() throws IOException {
        String[] arguments = {"--seed", "7", "--json", "--round", "1m", "--restart-cost", "30s"};
        assertEquals(simulate(GOOD, arguments), simulate(GOOD, arguments));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "c,2,0,5   | line 4, column 3 (gpus): must be a whole number from 1 to 4, but is"
                        + " '0'",
                "c,2,5,5   | line 4, column 3 (gpus): must be a whole number from 1 to 4, but is"
                        + " '5'",
                "c,2,1.5,5 | line 4, column 3 (gpus): must be a whole number from 1 to 4, but is"
                        + " '1.5'",
                "c,-2,1,5  | line 4, column 2 (submit_s): must be a number of seconds",
                "c,1.2.3,1,5 | line 4, column 2 (submit_s): must be a number of seconds",
                "c,NaN,1,5 | line 4, column 2 (submit_s): must be a number of seconds",
                "c,1e300,1,5 | line 4, column 2 (submit_s): must be a number of seconds",
                "c,2,1,0   | line 4, column 4 (duration_s): must be more than 0 seconds",
                "c,2,1,    | line 4, column 4 (duration_s): is empty",
                "c,2,1     | line 4, column 4: 3 columns, but the header has 4",
                "c,2,1,5,6 | line 4, column 5: 5 columns, but the header has 4",
                "a,2,1,5   | line 4, column 1 (job_id): a second a",
                "c,2,'\"1\"',5 | line 4, column 3: quotes are not understood"
            })
    void aBadRowIsNamedByLineAndColumnAndNothingIsRun(String row, String complaint)
            throws IOException {
        Said said = simulate(GOOD + row.replace("'", "") + "\n");
        assertEquals(2, said.code());
        assertEquals("", said.out());
        assertTrue(said.err().contains("trace.csv, " + complaint), said.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "job_id,submit_s,gpus\n", HEADER, "job_id,job_id\n", "\u0000"})
    void aFileThatIsNoTraceIsRefused(String text) throws IOException {
        Said said = simulate(text);
        assertEquals(2, said.code());
        assertTrue(said.err().contains("trace.csv"), said.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy nope | no policy 'nope'; known: backfill, elastic, elastic-oracle, fair,",
                "--checkpoints never | --checkpoints must be epoch or inside, but is 'never'",
                "--seed x | --seed must be a whole number, but is 'x'",
                "--round 5x | --round must be a time such as 60s or 5m, but is '5x'",
                "--round | --round needs a value",
                "--nodes 1 | --nodes is given twice",
                "--workload w | --workload and --profiles go together",
                "--frobnicate | unknown argument '--frobnicate'"
            })
    void aWrongArgumentIsNamed(String arguments, String complaint) throws IOException {
        Said said = simulate(GOOD, arguments.split(" "));
        assertEquals(2, said.code());
        assertTrue(said.err().startsWith("fairlead simulate: " + complaint), said.err());
    }

    @Test
    void aMissingFileAndAnUnknownWorkloadAreNamed() {
        Said missing = run("--trace", "nowhere.csv", "--nodes", "1", "--gpus-per-node", "4");
        assertEquals(2, missing.code());
        assertEquals("fairlead simulate: no file nowhere.csv\n", missing.err());
        Said unknown = pollux("nope");
        assertEquals(2, unknown.code());
        assertTrue(unknown.err().contains("no workload 'nope'"), unknown.err());
        assertTrue(unknown.err().contains("pollux-0.5x-w1, "), unknown.err());
    }

    @Test
    void aWorkloadTakesItsRunTimesFromTheProfiles() {
        Said said = pollux("pollux-0.5x-w1");
        assertEquals("", said.err());
        assertTrue(said.out().contains("\"jobs\":80,"), said.out());
        assertFalse(said.out().contains("NaN"), said.out());
    }

    private static Said pollux(String workload) {
        return run(
                "--trace",
                Traces.POLLUX.toString(),
                "--workload=" + workload,
                "--profiles",
                Traces.POLLUX_PROFILES.toString(),
                "--nodes=16",
                "--gpus-per-node=4",
                "--policy=fifo",
                "--json");
    }

    /** On one node with 4 GPUs. */
    private Said simulate(String trace, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("trace.csv"), trace);
        var arguments =
                new ArrayList<>(
                        List.of(
                                "--trace",
                                file.toString(),
                                "--nodes",
                                "1",
                                "--gpus-per-node",
                                "4"));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private static Said run(String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int code =
                Simulate.run(
                        List.of(arguments),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Said(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
