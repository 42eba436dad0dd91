package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command of Run:ai as its users type it. The fake server's jobs are all called train. */
class RunaiVerbsTest {
    private static final String ID = "train_1763180000_0000000a";

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        shell.environment.put("FAIRLEAD_HOME", folder.resolve("home").toString());
        shell.environment.put("PATH", "/bin");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Words are split at blanks. */
    private Shell.Result runai(String line) {
        return shell.type(("runai " + line).split(" "));
    }

    @Test
    void r1r2r17AJobIsSubmittedToTheDefaultProject() {
        assertEquals(
                "Project default has been set as default project\n",
                runai("config project default").out());
        var result =
                runai(
                        "submit my-job -i image -g 0.5 --large-shm -e A=-x --command -- python3 -u"
                                + " train.py --lr 0.1");
        assertEquals(
                "The job 'my-job' has been submitted successfully\n"
                        + "You can run `runai describe job my-job -p default` to check the job"
                        + " status\n",
                result.out());
        assertEquals(
                "fairlead: --large-shm is ignored: a job has the machine's own /dev/shm\n",
                result.err());
        assertEquals(0, result.code());
        SpecBody spec = server.submitted.getFirst();
        assertEquals("default", spec.project());
        assertEquals("0.5", spec.gpu());
        assertEquals("-x", spec.env().get("A"));
        assertEquals(List.of("python3", "-u", "train.py", "--lr", "0.1"), spec.command());
    }

    @Test
    void r24TheProcessesOfMpiAreInOnePodWithTheGpusOfAll() {
        var result =
                runai(
                        "submit-mpi dist -p default -i image --processes=2 -g 2 --command -- mpirun"
                                + " -np 2 hostname");
        assertEquals(0, result.code(), result.err());
        SpecBody spec = server.submitted.getFirst();
        assertEquals("4", spec.gpu());
        assertEquals("1", spec.env().get("OMPI_MCA_rmaps_base_oversubscribe"));
        assertEquals(List.of("mpirun", "-np", "2", "hostname"), spec.command());
    }

    @Test
    void r5ANameInUseIsRefusedEvenByAFinishedJobUntilItIsDeleted() {
        server.add(new FakeJob(ID, "succeeded"));
        var refused = runai("submit train -p default -i image --command -- true");
        assertEquals(1, refused.code());
        assertEquals(
                "fairlead: the job 'train' already exists in project 'default'; run 'runai delete"
                        + " train -p default' to free its name\n",
                refused.err());
        assertEquals("The job 'train' has been deleted\n", runai("delete train -p default").out());
        assertFalse(server.requests.contains("POST /v1/jobs/" + ID + "/abort"));
        assertEquals(0, runai("submit train -p default -i image --command -- true").code());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "submit x -p default --command -- true                   | 1 | --image is missing",
                "submit x -i image --command -- true                     | 1 | no project is set",
                "submit X -p default -i image --command -- true          | 2 | DNS-1035",
                "submit x -p default -i image --tty --command -- true    | 2 | --tty needs --stdin",
                "submit x -p default -i image --gpux 1 --command -- true | 2 | Did you mean"
                        + " '--gpu'",
                "list jobs                                               | 1 | no project is set",
                "list things                                             | 2 | one word too many",
                "describe job gone -p default                            | 1 | does not exist in"
                        + " project 'default'",
                "describe node gone                                      | 1 | the node 'gone' does"
                        + " not exist",
                "describe node                                           | 2 | which node",
                "describe things                                         | 2 | only 'runai describe"
                        + " job'",
                "delete gone -p default                                  | 1 | does not exist in"
                        + " project 'default'",
                "delete job                                              | 2 | which job",
                "logs gone -p default                                    | 1 | does not exist in"
                        + " project 'default'",
                "logs gone -p nosuch                                     | 1 | the project 'nosuch'"
                        + " does not exist",
                "logs x --since 1h --since-time 2h                       | 2 | exclude each other",
                "logs x --timestamps                                     | 2 | lines bear no time",
                "config project gone                                     | 1 | does not exist",
                "config project                                          | 2 | needs a project's"
                        + " name",
                "config pvc data /no/such/folder                         | 2 | there is no folder",
                "suspend x -p default                                    | 1 | does not exist in"
                        + " project 'default'",
                "resume                                                  | 2 | which job",
                "list jobs -p nosuch                                     | 1 | the project 'nosuch'"
                        + " does not exist",
                "top jobs -p nosuch                                      | 1 | the project 'nosuch'"
                        + " does not exist",
                "submit-mpi x -p default -i image --processes 2 -g 0.5 --command -- true | 2 |"
                        + " must be whole GPUs",
                "submit x -p default -i image --processes 2 --command -- true | 2 | has no option",
                "submit x --bogus                                        | 2 | runai submit --help",
                "config cluster                                          | 2 | needs a cluster's"
                        + " name",
            })
    void whatCannotBeDoneIsTold(String line, int code, String message) {
        var result = runai(line.strip());
        assertEquals(code, result.code(), result.err());
        assertTrue(result.err().contains(message), result.err());
        assertEquals("", result.out());
        assertEquals(List.of(), server.submitted);
    }

    @Test
    void r18r52JobsAreListedInTheColumnsOfRunai() {
        server.add(new FakeJob(ID, "succeeded"));
        server.add(new FakeJob("train_1763180000_0000000b", "running"));
        assertEquals(
                """
                NAME   STATUS     AGE  NODE  IMAGE  TYPE   PROJECT  USER  GPUs Allocated (Requested)  PODs Running (Pending)  SERVICE URL(S)
                train  Running    1h   box   -      Train  default  ann   1 (1)                       1 (0)
                train  Succeeded  1h   box   -      Train  default  ann   - (1)                       0 (0)
                """,
                runai("list jobs -A").out());
        assertEquals(runai("list jobs -A").out(), runai("list job -p default").out());
        assertEquals(1, runai("list -p vision").out().lines().count());
    }

    @Test
    void r25ProjectsAreListedInTheColumnsOfRunai() {
        assertEquals(
                """
                PROJECT  DEPARTMENT  DESERVED GPUs  INT LIMIT  INT AFFINITY  TRAIN AFFINITY
                default  -           -              12h        -             -
                vision   -           4              8h         -             -
                """,
                runai("list projects").out());
        assertEquals(0, runai("config project vision").code());
        assertTrue(
                runai("list projects").out().contains("\nvision (default)  -           4  "),
                runai("list projects").out());
    }

    @Test
    void r20r26AJobIsDescribedInTheSectionsOfRunai() {
        FakeJob job = server.add(new FakeJob(ID, "running"));
        job.obstacles = List.of();
        assertEquals(
                """
                NAME:                  train
                NAMESPACE:             runai-default
                TYPE:                  Train
                STATUS:                Running
                TRAINING DURATION:     30m
                GPUS:                  1
                TOTAL REQUESTED GPUS:  1
                ALLOCATED GPUS:        1
                RUNNING PODS:          1
                PENDING PODS:          0
                PARALLELISM:           1
                COMPLETIONS:           1
                SUCCEEDED PODS:        0
                FAILED PODS:           0
                IMAGE:                 -
                SERVICE URL(S):
                COMMAND LINE:          runai submit train -p default --backoff-limit 0 --command -- python3 train.py --lr 0.1

                Pods:
                POD        STATUS   TYPE   AGE  NODE
                train-0-0  Running  Train  30m  box

                Events:
                SOURCE    TYPE    AGE  MESSAGE
                fairlead  Normal  30m  AttemptPlaced: attempt 1 on box
                """,
                runai("describe job train -p default").out());
        assertEquals(
                runai("describe job train -p default").out(),
                runai("describe job " + ID + " -o wide").out());
        assertTrue(runai("describe job " + ID + " -o json").out().startsWith("{\"job\":{"));
        assertTrue(runai("describe job " + ID + " -o yaml").out().startsWith("job:\n  id: " + ID));
        assertEquals(2, runai("describe job " + ID + " -o xml").code());
    }

    @Test
    void r21DeletingARunningJobStopsItFirst() {
        server.add(new FakeJob(ID, "running"));
        var result = runai("delete job train gone -p default");
        assertEquals("The job 'train' has been deleted\n", result.out());
        assertEquals(
                "fairlead: the job 'gone' does not exist in project 'default'\n", result.err());
        assertEquals(1, result.code());
        assertTrue(server.requests.contains("POST /v1/jobs/" + ID + "/abort"));
        assertTrue(server.requests.contains("DELETE /v1/jobs/" + ID));
    }

    @Test
    void ofSeveralJobsByOneNameNoneIsDeletedByGuess() {
        server.add(new FakeJob(ID, "succeeded"));
        server.add(new FakeJob("train_1763180000_0000000b", "running"));
        var result = runai("delete train -p default");
        assertEquals(1, result.code());
        assertTrue(result.err().contains(ID), result.err());
        assertEquals("The job 'train' has been deleted\n", runai("delete " + ID).out());
        assertEquals(0, runai("delete -A -p default").code());
        assertEquals(1, runai("list jobs -A").out().lines().count());
    }

    @Test
    void theWordsOfNewerVersionsSayWhatToTypeHere() {
        var words =
                Map.of(
                        "training submit x", "runai submit",
                        "workspace submit x", "runai submit --interactive",
                        "workload list", "runai list jobs",
                        "project list", "runai list projects");
        words.forEach(
                (line, instead) -> {
                    var result = runai(line);
                    assertEquals(2, result.code(), line);
                    String typed = "'runai " + line.split(" ")[0] + "' is not needed here: ";
                    assertTrue(result.err().contains(typed + "'" + instead + "'"), result.err());
                    assertTrue(result.err().contains("help from-runai"), result.err());
                });
        assertFalse(runai("").err().contains("workspace"), "it is no verb to choose");
    }

    @Test
    void r22LogsAreShownByTheNameOfAJobOrOfItsPod() {
        var job = server.add(new FakeJob(ID, "succeeded"));
        job.log = "one\ntwo\n";
        assertEquals("one\ntwo\n", runai("logs train -p default").out());
        assertEquals("one\ntwo\n", runai("logs train -p default --tail -1").out());
        assertEquals("two\n", runai("logs --tail 1 train-0-0 -p default").out());
        assertTrue(server.requests.getLast().contains("task=main%2F0"));
        assertEquals("one\ntwo\n", runai("logs train -f --pod train-0-0 -p default").out());
        assertEquals("two\n", runai("logs train -t 1 -p default").out());
        assertEquals("", runai("logs train -p default").err(), "there was one attempt");
        job.attempts(2);
        assertEquals(
                "fairlead: this is the log of attempt 2; 'fairlead logs --attempt 1 %s' shows the one before it\n"
                        .formatted(ID),
                runai("logs train -p default").err());
        for (String pod : List.of("train-1-0", "nosuch", "train")) {
            var refused = runai("logs train --pod " + pod + " -p default");
            assertEquals(1, refused.code(), pod);
            assertEquals("", refused.out());
            assertEquals(
                    "fairlead: the job 'train' has no pod '" + pod + "', only train-0-0\n",
                    refused.err());
        }
    }

    @Test
    void r24ASuspendedJobKeepsItsNameUntilItIsResumed() {
        server.add(new FakeJob(ID, "running"));
        assertEquals(
                "fairlead: the job 'train' is Running; there is nothing to resume\n",
                runai("resume train -p default").err());
        assertEquals(
                "The job 'train' has been suspended\n", runai("suspend train -p default").out());
        assertTrue(runai("list jobs -p default").out().contains("\ntrain  Suspended "));
        assertEquals(1, runai("suspend job train -p default").code());
        assertEquals(1, runai("submit train -p default -i image --command -- true").code());
        assertEquals("The job 'train' has been resumed\n", runai("resume -A -p default").out());
        int again = server.requests.indexOf("POST /v1/jobs/" + ID + "/resubmit");
        int deleted = server.requests.indexOf("DELETE /v1/jobs/" + ID);
        assertTrue(0 < again && again < deleted, server.requests.toString());
    }

    @Test
    void r10AClaimStandsForTheFolderThatWasSet() throws IOException {
        Files.createDirectories(folder.resolve("my data"));
        shell.type("runai", "config", "pvc", "claim", "my data");
        assertEquals(0, runai("config project vision").code());
        assertEquals(0, runai("submit x -i image --pvc claim:/data:ro --command -- true").code());
        assertEquals(List.of(folder + "/my data:/data:ro"), server.submitted.getFirst().mounts());
        assertEquals("vision", server.submitted.getFirst().project());
    }

    @Test
    void r1r24WhoIsLoggedInIsToldAndEveryVerbHasHelp() {
        assertEquals("Logged in to " + server.url() + " as ann\n", runai("login").out());
        assertTrue(runai("whoami").out().startsWith("User     ann\n"), runai("whoami").out());
        assertTrue(runai("whoami").out().contains("\nProject  default\n"));
        runai("config project vision");
        assertTrue(runai("whoami").out().contains("\nProject  vision\n"), runai("whoami").out());
        assertEquals(0, runai("version").code());
        assertTrue(runai("top nodes").out().contains("box"));
        for (String verb :
                List.of(
                        "submit",
                        "list",
                        "describe job",
                        "delete",
                        "logs",
                        "bash",
                        "attach",
                        "config")) {
            var help = runai(verb + " --help");
            assertEquals(0, help.code());
            assertTrue(help.out().startsWith("usage: fairlead runai " + verb), help.out());
        }
        assertTrue(runai("--help").out().contains("  runai submit [NAME]"));
    }

    @Test
    void whoAttachesToAJobThatHasEndedSeesItsLogAndExitsAsItDid() {
        String line = "submit x -p default -i image --attach --command -- true";
        var done = runai(line);
        assertEquals(0, done.code(), done.err());
        assertTrue(done.err().contains("has already ended; its log:"), done.err());
        server.stateOfNew = "failed";
        assertEquals(3, runai(line.replace("x", "y")).code());
    }

    @Test
    void aWordThatIsMissingOrMistypedIsSuggested() {
        server.add(new FakeJob(ID, "running"));
        String missing = runai("describe train").err();
        assertTrue(missing.contains("did you mean 'runai describe job train'?"), missing);
        String mistyped = runai("logs trian -p default").err();
        assertTrue(mistyped.contains("'default'. Did you mean 'train'?"), mistyped);
    }

    @Test
    void bashAndExecNeedARunningJobAndExecACommand() {
        FakeJob job = server.add(new FakeJob(ID, "running"));
        var bare = runai("exec -p default train");
        assertEquals(2, bare.code());
        assertTrue(bare.err().contains("no command given"), bare.err());
        job.state("succeeded", 0);
        assertTrue(
                runai("bash train -p default")
                        .err()
                        .contains("a command cannot run in a pod that is not running"));
        job.state("cancelled", 143);
        String suspended = runai("bash train -p default").err();
        assertTrue(suspended.contains("the job 'train' is Suspended\n"), suspended);
        assertTrue(
                runai("attach train -p default")
                        .err()
                        .contains("nobody can attach to a pod that is not running"));
        for (String ports : List.of("--port 8080:80", "8080:80")) {
            assertTrue(
                    runai("port-forward train -p default " + ports)
                            .err()
                            .contains("ports cannot be reached in a pod that is not running"));
        }
        var portless = runai("port-forward train -p default");
        assertEquals(2, portless.code());
        assertTrue(portless.err().contains("which port?"), portless.err());
    }

    @Test
    void r13WhereImagesRunTheImagesOwnProgramMayRun() {
        server.runsImages = true;
        var result = runai("submit x -p default -i image --large-shm --pvc c:/data -- --lr 1");
        assertEquals(0, result.code(), result.err());
        assertEquals("", result.err());
        SpecBody spec = server.submitted.getFirst();
        assertEquals(List.of("--lr", "1"), spec.command());
        assertEquals(true, spec.container().entrypoint());
        assertEquals("8G", spec.container().shm());
        assertEquals(List.of("claim:c:/data"), spec.mounts());
        assertEquals("", spec.workdir());
        assertFalse(spec.env().containsKey("PATH"));
    }

    @Test
    void aMachineWithContainersRunsImagesToo() {
        String line = "submit x -p default -i image -- --lr 1";
        assertEquals(2, runai(line).code(), "without containers the command is needed");
        server.localRunsImages = true;
        var result = runai(line);
        assertEquals(0, result.code(), result.err());
        SpecBody spec = server.submitted.getFirst();
        assertEquals(List.of("--lr", "1"), spec.command());
        assertEquals(true, spec.container().entrypoint());
    }

    @Test
    void aNotebookIsSubmittedWithTheWayToReachIt() {
        server.runsImages = true;
        assertEquals(
                "The job 'note' has been submitted successfully\n"
                    + "You can run `runai describe job note -p default` to check the job status\n"
                    + "Run `runai port-forward note 8888:8888 -p default` and open"
                    + " http://localhost:8888\n",
                runai("submit note -p default --jupyter").out());
    }

    @Test
    void aNameThatIsTakenBetweenLookAndSubmitIsTold() {
        server.conflicts = 1;
        var refused = runai("submit mine -p default -i image --command -- true");
        assertEquals(1, refused.code());
        assertTrue(
                refused.err()
                        .contains("'mine' already exists in project 'default'; run 'runai delete"),
                refused.err());
        server.conflicts = 2;
        var found = runai("submit -p default -i image --command -- true");
        assertEquals(0, found.code(), found.err());
        assertEquals("job-2", server.submitted.getLast().name());
        server.conflicts = 100;
        assertEquals(1, runai("submit -p default -i image --command -- true").code());
        server.conflicts = 0;
    }

    @Test
    void aClusterIsChosenOnceForAllSubmits() {
        assertEquals(
                "Cluster lab has been set as default cluster\n", runai("config cluster lab").out());
        assertEquals(0, runai("submit x -p default -i image -- --lr 1").code());
        assertEquals("lab", server.submitted.getFirst().cluster());
        assertEquals(true, server.submitted.getFirst().container().entrypoint());
        var gone = runai("config cluster lob");
        assertEquals(2, gone.code());
        assertTrue(
                gone.err().contains("no cluster 'lob'; known: local, lab. Did you mean 'lab'?"),
                gone.err());
    }

    @Test
    void nodesClustersAndLargeJobsAreShown() {
        server.add(new FakeJob(ID, "running"));
        String node = runai("describe node box").out();
        assertTrue(node.startsWith("NAME:         box\n"), node);
        assertTrue(node.contains("\ntrain  default  ann   Running"), node);
        assertEquals(
                """
                CLUSTER  ENGINE      REACHABLE               NODES  GPUs  FREE GPUs
                local    local       yes                     1      4     2
                lab      kubernetes  no: connection refused  0      0     0
                """,
                runai("list clusters").out());
        assertEquals(2, runai("top jobs").out().lines().count());
        assertEquals(1, runai("top jobs -p vision").out().lines().count());
        runai("config project vision");
        assertEquals(1, runai("top jobs").out().lines().count());
        assertEquals(2, runai("top jobs -p default").out().lines().count());
        assertEquals(2, runai("top jobs -A").out().lines().count());
    }

    /** Goal: a pod about to run is waited for. Method: it begins to run after the first look. */
    @Test
    void r23BashWaitsForAJobThatIsAboutToRun() {
        FakeJob job = server.add(new FakeJob(ID, "starting"));
        job.looksBeforeEnd = 2;
        var result = runai("bash train -p default");
        assertEquals(1, result.code());
        assertTrue(result.err().contains("the job 'train' is Failed"), result.err());
        long looks = server.requests.stream().filter(("GET /v1/jobs/" + ID)::equals).count();
        assertTrue(looks >= 2, server.requests.toString());
    }
}
