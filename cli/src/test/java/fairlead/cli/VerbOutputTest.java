package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.AheadBody;
import fairlead.api.HolderBody;
import fairlead.api.ScriptRequest;
import fairlead.cli.line.Verb;
import fairlead.dialects.dlscheduler.Misuse;
import fairlead.dialects.dlscheduler.PostedScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What each verb prints, letter by letter. */
class VerbOutputTest {
    private static final String QUEUED = "train_1763179200_0000000a";
    private static final String RUNNING = "train_1763179200_0000000b";
    private static final String FAILED = "train_1763179200_0000000c";

    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.environment.put("TZ", "Asia/Tokyo");
        server.add(new FakeJob(FAILED, "failed")).log = "one\ntwo\nthree\n";
        server.add(new FakeJob(RUNNING, "running")).log = "epoch 1\n";
        var queued = server.add(new FakeJob(QUEUED, "queued"));
        queued.obstacles = List.of("needs 1 GPU on one node; none is free");
        queued.ahead = List.of(new AheadBody("bob", 1, 1, 1), new AheadBody(null, 3, 4, 2.5));
        queued.advice = "with half a GPU";
        queued.needs = "1 GPU";
        queued.holders =
                List.of(
                        new HolderBody(
                                "a_1_0000000d",
                                "ann",
                                1,
                                "0.5",
                                "2025-11-15T04:48:00Z",
                                "will be asked to stop",
                                "2025-11-15T05:03:20Z",
                                "undisturbed until then"),
                        new HolderBody(
                                "a_1_0000000e",
                                "bob",
                                2,
                                null,
                                "2025-11-15T02:00:00Z",
                                "nobody can say when it ends",
                                null,
                                null));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String output(String... words) {
        return shell.type(words).output();
    }

    @Test
    void listShowsActiveJobsAndThoseThatEnded() {
        assertEquals(
                """
                ID                         STATE       PLACE  START          GPUS  OWNER  AGE  TIME  COMMAND
                train_1763179200_0000000a  queued      2      ~12m (8m-25m)  1     ann    1h   -     python3 train.py --lr 0.1
                train_1763179200_0000000b  running     -      -              1     ann    1h   30m   python3 train.py --lr 0.1
                train_1763179200_0000000c  failed (3)  -      -              1     ann    1h   10m   python3 train.py --lr 0.1
                """,
                output("list"));
    }

    @Test
    void listReadsAsManyPagesAsItMayShow() {
        for (int i = 0; i < 30; i++)
            server.add(new FakeJob("many_1_%08x".formatted(i), "succeeded"));
        assertEquals(1 + 2 + 20, output("list").lines().count());
        assertEquals(1 + 33, output("list", "--all").lines().count());
        var limited = shell.type("list", "--all", "--limit", "5");
        assertEquals(1 + 5, limited.out().lines().count());
        assertEquals("fairlead: there are more; --limit N shows them\n", limited.err());
    }

    @Test
    void listCanBeNarrowed() {
        assertTrue(output("list", "--state", "failed").contains(FAILED));
        assertEquals(2, output("list", "--state", "failed").lines().count());
        assertEquals(1, output("-c", "lab", "list").lines().count());
    }

    @Test
    void listShowsTheColumnsThatAreAskedForInTheirOrder() {
        assertEquals(
                """
                STATE       OWNER  TIME  COMMAND
                running     ann    30m   python3 train.py --lr 0.1
                failed (3)  ann    10m   python3 train.py --lr 0.1
                queued      ann    -     python3 train.py --lr 0.1
                """,
                output("list", "-o", "columns=state,owner,TIME,command", "--sort", "-time"));
        String wide = output("list", "-o", "wide").lines().findFirst().orElseThrow();
        assertTrue(wide.matches(".* NAME +PROJECT +CLUSTER +NODES +COMMAND"), wide);
        assertEquals(
                QUEUED + "\n" + RUNNING + "\n" + FAILED + "\n",
                output("ps", "-o", "name", "--sort", "id"));
        assertEquals(output("list", "--json"), output("list", "-o", "json"));
        assertTrue(output("list", "-o", "yaml").startsWith("jobs:\n  - id: train_"));
        assertEquals(
                "fairlead: there is no column 'gpu'; known: id, state, place, start, gpus, epochs,"
                        + " owner, age, time, name, project, cluster, nodes, command. Did you mean"
                        + " 'gpus'?",
                shell.type("list", "--sort", "-gpu").err().lines().findFirst().orElseThrow());
        assertEquals(2, shell.type("list", "-o", "jsno").code());
        assertEquals(2, shell.type("list", "--watch").code(), "nobody watches here");
    }

    @Test
    void listOfSomeJobsShowsThose() {
        String some = output("status", "000b", "000a");
        assertEquals(3, some.lines().count());
        assertTrue(some.lines().toList().get(1).startsWith(RUNNING), some);
        var result = shell.type("list", "nosuch", "000a");
        assertEquals(2, result.code());
        assertTrue(result.err().contains("'nosuch'") && result.out().contains(QUEUED));
    }

    @Test
    void statesAreColouredOnATerminalOnly() {
        shell.terminal = true;
        assertTrue(
                output("list")
                        .contains(
                                "\u001b[31mfailed (3)\u001b[0m  -      -              1     ann"));
        shell.environment.put("NO_COLOR", "1");
        assertTrue(output("list").contains("failed (3)  -      -              1     ann"));
    }

    @Test
    void describeShowsEverything() {
        assertEquals(
                """
                Job        train_1763179200_0000000c
                State      failed (3): task main/0 exited with 3
                Owner      ann
                Project    default
                Cluster    local
                Command    python3 train.py --lr 0.1
                GPUs       1 in 1 task
                Attempts   1, of which failed: 1
                Nodes      box
                Submitted  2025-11-15 13:00:00 (1h ago)
                Started    2025-11-15 13:30:00 (30m ago)
                Finished   2025-11-15 13:40:00 (20m ago)

                Spec
                  name: train
                  cluster: local
                  project: default
                  priority: 0
                  roles:
                    - name: main
                      count: 1
                      command: [python3, train.py, "--lr", "0.1"]
                      gpus: 1
                      cpus: 0
                      minFailed: 1
                      minSucceeded: 0
                  env:
                    SEED: "7"
                  retries: 0
                  time: "2h"
                  workdir: /home/ann

                Tasks
                  TASK    STATE   NODE  GPUS  EXIT  NOTE
                  main/0  failed  box   2     3

                Events
                  AGE  EVENT          DETAIL
                  30m  AttemptPlaced  attempt 1 on box

                Notes
                  - limits of CPU and memory are not enforced
                """,
                output("describe", "000c"));
    }

    @Test
    void aPostedScriptIsDescribedAsItWasSentBesideWhatRuns() throws Misuse {
        var sent =
                new ScriptRequest(
                        "posted", null, "train.py", "/data", null, null, 2, null, null, null, null);
        var spec = PostedScript.spec(sent, Optional.empty(), false);
        var job = server.add(new FakeJob("posted_1763179200_0000000e", "running", spec));
        job.command("python train.py");
        String described = output("describe", "000e");
        assertTrue(described.contains("\nCommand    python train.py\n"), described);
        assertTrue(described.contains("errorlog.txt"), described);
    }

    @Test
    void logsAreCopiedAsTheyAre() {
        assertEquals("one\ntwo\nthree\n", output("logs", "000c"));
        assertEquals("three\n", output("logs", "--tail", "1", "000c"));
        assertEquals("one\ntwo\nthree\n", output("logs", "-f", "000c"));
        output("logs", "000c", "--task", "worker/0", "--attempt", "2");
        assertTrue(
                server.requests.getLast().endsWith("/000c/logs?task=worker%2F0&attempt=2"),
                server.requests.getLast());
    }

    @Test
    void logsOfAJobThatWaitsSayThatItHasNone() {
        var shown = shell.type("logs", "000a");
        assertEquals(0, shown.code());
        assertEquals("", shown.out());
        assertTrue(
                shown.err().startsWith("fairlead: job train_1763179200_0000000a queued: "),
                shown.err());
        assertTrue(shown.err().endsWith("; it has not run, so there is no log\n"), shown.err());
    }

    @Test
    void logsSayWhichAttemptTheyShowAndHowToSeeTheOneBefore() {
        assertEquals("", shell.type("logs", "000c").err(), "there was only one");
        var again = server.add(new FakeJob("again_1_0000000e", "failed"));
        again.log = "the third\n";
        again.attempts(3);
        for (String line : List.of("logs 000e", "logs -f 000e")) {
            var shown = shell.type(line.split(" "));
            assertEquals("the third\n", shown.out());
            assertEquals(
                    "fairlead: this is the log of attempt 3; 'fairlead logs --attempt 2 000e' shows"
                            + " the one before it\n",
                    shown.err());
        }
        assertEquals("", shell.type("logs", "--attempt", "3", "000e").err(), "it was asked for");
    }

    @Test
    void whyNamesThePlaceAndTheObstacles() {
        assertEquals(
                """
                train_1763179200_0000000a: queued, 1 job ahead of it, needs 1 GPU
                - needs 1 GPU on one node; none is free
                in its place now:
                  ann's a_1_0000000d has held 0.5 of a GPU for 12m: will be asked to stop in 3m20s (undisturbed until then)
                  bob's a_1_0000000e has held 2 GPUs for 3h: nobody can say when it ends
                  and 2 more
                ahead of it:
                  bob            1 GPU
                  3 more people  2.5 GPUs
                expected to start in ~12m (8m-25m), an 80 % band
                it would start now with half a GPU
                """,
                output("why", "000a"));
        assertEquals("train_1763179200_0000000b: running\n", output("why", "000b"));
    }

    @Test
    void abortStopsEachThatCanBeStopped() {
        var result = shell.type("a", "000c", "000b", "000a");
        assertEquals(4, result.code());
        assertEquals(RUNNING + " aborted\n" + QUEUED + " aborted\n", result.out());
        assertEquals("fairlead: job " + FAILED + " has ended\n", result.err());
    }

    @Test
    void anArraysIdStandsForAllItsJobs() {
        server.stateOfNew = "running";
        String array = shell.type("submit", "--array", "0-2", "echo {i}").out().strip();
        assertEquals(1 + 3, output("list", "--array", array).lines().count());
        String aborted = output("abort", array);
        assertEquals(3, aborted.lines().count());
        assertTrue(aborted.lines().allMatch(line -> line.endsWith(" aborted")), aborted);
        assertEquals("POST /v1/arrays/000a77a1/abort", server.requests.getLast(), "in one request");
        var again = shell.type("abort", array);
        assertEquals(4, again.code());
        assertEquals("fairlead: all jobs of array 000a77a1 have already ended\n", again.err());
        assertEquals(1, shell.type("wait", array).code());
        server.requests.clear();
        assertEquals("000a77a2\n", shell.type("resubmit", array).out());
        assertEquals("POST /v1/arrays/000a77a1/resubmit", server.requests.getLast());
        assertEquals(1, changes(), "in one request");
        String deleted = output("delete", array);
        assertEquals(3, deleted.lines().count());
        assertTrue(deleted.lines().allMatch(line -> line.endsWith(" deleted")), deleted);
        assertEquals("DELETE /v1/arrays/000a77a1", server.requests.getLast());
        assertEquals(2, changes(), "in one request");
    }

    private long changes() {
        return server.requests.stream().filter(line -> !line.startsWith("GET ")).count();
    }

    @Test
    void manyJobsAreWaitedForByFewRequests() {
        server.stateOfNew = "running";
        String array = shell.type("submit", "--array", "0-49", "echo {i}").out().strip();
        for (FakeJob job : server.array(array)) job.afterWait = "succeeded";
        server.array(array).get(7).afterWait = "failed";
        server.requests.clear();
        var waited = shell.type("wait", array);
        assertEquals(1, waited.code());
        assertEquals(
                "fairlead: job " + server.array(array).get(7).body.id() + " failed (1)\n",
                waited.err());
        assertEquals(4, server.requests.size(), server.requests.toString());
    }

    @Test
    void severalJobsAreAbortedByOneRequest() {
        server.requests.clear();
        var result = shell.type("abort", "000c", "000b", "nope");
        assertEquals(RUNNING + " aborted\n", result.out());
        assertEquals(
                "fairlead: job "
                        + FAILED
                        + " has ended\nfairlead: no job ends with 'nope'\n"
                        + "'fairlead list --all' shows all jobs.\n",
                result.err());
        assertEquals(4, result.code(), "that of the first refusal");
        assertEquals(List.of("POST /v1/abort"), server.requests);
    }

    @Test
    void resubmitPrintsTheNewId() {
        assertEquals("train_1763180000_a0000003\n", output("-n", "2", "resubmit", "000c"));
    }

    @Test
    void deleteRefusesWhatIsActive() {
        assertEquals("000c deleted\n", output("delete", "000c"));
        assertEquals(4, shell.type("delete", "000b").code());
    }

    @Test
    void specIsAJobFile() {
        assertTrue(output("spec", "000c").startsWith("name: train\ncluster: local\n"));
    }

    @Test
    void nodesShowWhatIsFree() {
        assertEquals(
                """
                NODE  CLUSTER  READY  GPUS                       TYPE          CPUS      MEMORY
                box   local    yes    2 of 4, and parts of 0.25  H200 139 GiB  12 of 16  48 GiB of 64 GiB
                - limits of CPU and memory are not enforced
                """,
                output("nodes"));
    }

    @Test
    void statsCountJobsAndGpus() {
        assertEquals(
                """
                GPUs: 2 of 4 free
                Predicted starts: 9 of 10 fell into their 80 % band (90 %)

                JOBS     COUNT
                queued   7
                running  2

                OWNER  GPUS
                ann    1.75
                """,
                output("stats"));
    }

    @Test
    void queueShowsEveryonesWorkInTheFairOrder() {
        assertEquals(
                """
                JOB NAME                   USER  AGE  GPUS  PRIORITY  USER'S GPU    STATUS   NODE
                shell                      eve   30m  0     0         CPU           Running  box
                train_1763180000_0000000a  ann   30m  1.5   0         1st           running  box, bix
                train_1763180000_0000000b  ann   30m  2     -3        2nd, borrows  queued   -
                and 7 more
                - the cluster local cannot be reached: no route to host
                """,
                output("queue"));
    }

    @Test
    void serverStatusShowsTheServer() {
        assertEquals(
                """
                Server   http://127.0.0.1:7300
                Version  0.1.0
                Process  4711
                Home     /home/ann/.fairlead
                Policy   fair
                Up       1h
                Journal  5 MiB, good, checked 2025-11-15 13:00:01
                Copy     /home/ann/.fairlead/copies/journal-20251115-040001.db
                Cluster  local (local)
                Cluster  lab (kubernetes), cannot be reached: connection refused
                """,
                output("server", "status"));
    }

    @Test
    void serverBackupNamesTheFile() {
        assertEquals("saved to /backups/a.db\n", output("server", "backup", "/backups/a.db"));
        assertEquals("/backups/a.db", server.backup);
    }

    @Test
    void versionNamesTheServerToo() {
        assertTrue(
                output("version")
                        .contains(
                                "\nserver 0.1.0, clusters: local (local); lab (kubernetes),"
                                        + " cannot be reached: connection refused\nto upgrade: "));
        assertTrue(output("version", "--json").endsWith(",\"server\":\"0.1.0\"}\n"));
    }

    @Test
    void everyVerbThatReadsGivesTheBodyAsItIs() {
        for (String line :
                List.of(
                        "list --json",
                        "--json list",
                        "query --json",
                        "query --json 000c",
                        "describe --json 000c",
                        "why 000c --json",
                        "nodes --json",
                        "queue --json",
                        "stats --json",
                        "spec --json 000c",
                        "server status --json")) {
            String out = output(line.split(" "));
            assertTrue(out.startsWith("{\"") && out.endsWith("}\n"), line + ": " + out);
        }
    }

    @Test
    void waitTellsWhetherAllSucceeded() {
        assertEquals(1, shell.type("wait", "000c").code());
        var job = server.add(new FakeJob("good_1_0000000d", "running"));
        job.afterWait = "succeeded";
        assertEquals("", output("wait", "000d"));
    }

    @Test
    void waitGivesUpAfterItsTime() {
        var result = shell.type("wait", "--timeout", "0s", "000b");
        assertEquals(1, result.code());
        assertEquals(
                "fairlead: the time is over\nfairlead: job %s is still running; 'fairlead why %s' says why\n"
                        .formatted(RUNNING, RUNNING),
                result.err());
    }

    @Test
    void runGivesTheLogTheReasonAndTheCode() {
        var result = shell.type("run", "echo hello");
        assertEquals("made by a test\n", result.out());
        assertEquals("", result.err());
        assertEquals(0, result.code());
    }

    @Test
    void everyVerbHasHelpWithAnExample() {
        for (Verb verb : Verbs.all()) {
            String help = output(verb.usage().name(), "--help");
            assertTrue(help.startsWith("usage: fairlead "), help);
            assertTrue(help.contains("\nexamples:\n  # "), help);
            assertEquals(help, output("help", verb.usage().name()));
        }
        String all = output("help", "--all");
        assertTrue(all.contains("  query, q                fetch a job's logs"), all);
        assertTrue(all.contains("\n  abort, a, cancel, stop  stop jobs"), all);
    }

    @Test
    void helpBeginsWithTheVerbsOfEveryDay() {
        String help = output("help");
        assertEquals(help, output("--help"));
        assertTrue(help.contains("\n  why                     say why a job waits\n"), help);
        assertTrue(help.contains("'fairlead help --all' shows all verbs"), help);
        assertTrue(help.lines().count() < 25, help);
    }
}
