package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import fairlead.dialects.runai.Flag;
import fairlead.dialects.runai.Flags;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The quick start of the lab's guide to Run:ai, typed as it stands there, on two GPUs. */
class RunaiTest {
    @TempDir static Path folder;
    private static Installation fairlead;
    private static Path ann;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 2", "stop-grace = 1s");
        ann = folder.resolve("ann");
        for (String name : List.of("data1", "data2/home/ann", "src1")) {
            Files.createDirectories(ann.resolve(name));
        }
        Files.writeString(ann.resolve(".bashrc"), "FROM_BASHRC=yes\n");
        // The first command starts the server, whose home is that of its jobs.
        type("fairlead project create cvlab --quota 2").expect(0);
        type("runai login").expect(0);
        assertEquals(
                "Project cvlab has been set as default project\n",
                type("runai config project cvlab").expect(0).out());
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    /** What ann types in her home; the command is on her path. */
    private static Installation.Result type(String line) {
        return fairlead.type(
                "HOME='%s' PATH=\"%s:$PATH\"; export HOME PATH; cd; %s"
                        .formatted(ann, Installation.root().resolve("bin"), line));
    }

    private static void needsMounts() {
        boolean isRoot = fairlead.type("unshare --mount true").code() == 0;
        boolean allowed = fairlead.type("unshare --user --map-root-user --mount true").code() == 0;
        assumeTrue(isRoot || allowed, "not root: this account may not mount anything");
    }

    private static void awaitStatus(String job, String status) {
        Eventually.when(
                job + " " + status,
                () ->
                        type("runai list jobs")
                                .out()
                                .matches("(?s).*\n" + job + " +" + status + " .*"));
    }

    /** As the guide says: the user fills in three variables, and no other byte changes. */
    private static void fillIn(String workDir) throws IOException {
        String script;
        try (var resource = RunaiTest.class.getResourceAsStream("runai_one.sh")) {
            script = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
        script = script.replace("MY_WORK_DIR=\n", "MY_WORK_DIR=" + workDir + "\n");
        script = script.replace("CLUSTER_USER=\n", "CLUSTER_USER=ann\n");
        script = script.replace("CLUSTER_USER_ID=\n", "CLUSTER_USER_ID=123456\n");
        Files.writeString(ann.resolve("runai_one.sh"), script);
    }

    @Test
    void r30r35TheLabsScriptWorksUnchanged() throws IOException {
        needsMounts();
        fillIn("/cvlabdata2/home/ann");
        var unknown = type("bash runai_one.sh ann-hello-1 1 'python3 hello.py'");
        assertEquals(2, unknown.code());
        assertTrue(unknown.err().contains("'runai config pvc runai-pv-cvlabdata1"), unknown.err());
        type("runai config pvc runai-pv-cvlabdata1 data1").expect(0);
        type("runai config pvc runai-pv-cvlabdata2 data2").expect(0);
        type("runai config pvc runai-pv-cvlabsrc1 src1").expect(0);
        Files.writeString(
                ann.resolve("data2/home/ann/hello.py"),
                """
                import os
                print("hello from", os.getcwd(), "as", os.environ["CLUSTER_USER"])
                open("/cvlabdata1/result.txt", "w").write(os.environ["CUDA_VISIBLE_DEVICES"])
                """);
        var submitted =
                type("bash runai_one.sh ann-hello-1 1 'echo $FROM_BASHRC && python3 hello.py'")
                        .expect(0);
        assertEquals(
                "The job 'ann-hello-1' has been submitted successfully\n"
                        + "You can run `runai describe job ann-hello-1 -p cvlab` to check the job"
                        + " status\n",
                submitted.out());
        awaitStatus("ann-hello-1", "Succeeded");
        assertEquals(
                "yes\nhello from /cvlabdata2/home/ann as ann\n",
                type("runai logs ann-hello-1").expect(0).out());
        assertEquals(
                "hello from /cvlabdata2/home/ann as ann\n",
                type("runai logs ann-hello-1 --tail 1").expect(0).out());
        assertEquals(1, Files.readString(ann.resolve("data1/result.txt")).length());
        String described = type("runai describe job ann-hello-1").expect(0).out();
        assertTrue(described.contains("NAMESPACE:             runai-cvlab\n"), described);
        assertTrue(described.contains("-- /opt/lab/setup_and_run_command.sh 'cd"), described);
        assertTrue(described.contains("\nann-hello-1-0-0  Succeeded "), described);

        var again = type("bash runai_one.sh ann-hello-1 1 'true'");
        assertEquals(1, again.code());
        assertTrue(again.err().contains("run 'runai delete ann-hello-1"), again.err());
        type("runai delete ann-hello-1").expect(0);
        type("bash runai_one.sh ann-hello-1 0.5 'true'").expect(0);
        awaitStatus("ann-hello-1", "Succeeded");
    }

    /** The lab's newest scripts: a project and claims for each user, and a command in one text. */
    @Test
    void r31TheLabsNewestFormOfASubmitWorks() throws IOException {
        needsMounts();
        type("runai config pvc runai-cvlab-ann-cvlabdata2 data2").expect(0);
        String line =
                """
                MY_WORK_DIR=/cvlabdata2/home/ann; arg_cmd=`echo "echo in &&
                 pwd" | tr '\\n' ' '`
                runai submit ann-new -i lab-python-ml:cuda11 --gpu 0.5 --interactive \\
                --pvc runai-cvlab-ann-cvlabdata2:/cvlabdata2 --large-shm -e CLUSTER_USER=ann \\
                --command -- "/opt/lab/setup_and_run_command.sh 'cd $MY_WORK_DIR && $arg_cmd'" \\
                && runai describe job ann-new
                """;
        assertTrue(type(line).expect(0).out().contains("\nNAME:                  ann-new\n"));
        awaitStatus("ann-new", "Succeeded");
        assertEquals("in\n/cvlabdata2/home/ann\n", type("runai logs ann-new -t 5").expect(0).out());
        type("runai delete job ann-new").expect(0);
    }

    @Test
    void aJobIsSuspendedAndResumedUnderItsName() {
        type("runai submit pausing -i none --command -- sleep 600").expect(0);
        awaitStatus("pausing", "Running");
        type("runai suspend pausing").expect(0);
        awaitStatus("pausing", "Suspended");
        assertEquals(1, type("runai submit pausing -i none --command -- true").code());
        type("runai resume pausing").expect(0);
        awaitStatus("pausing", "Running");
        assertEquals("hi\n", type("runai exec pausing -it echo hi").expect(0).out());
        type("runai delete pausing").expect(0);
    }

    @Test
    void mpirunStartsTheProcessesOfAnMpiJob() {
        type("runai submit-mpi dist --processes 2 -g 1 -i none --command -- mpirun"
                        + " --allow-run-as-root -np 3 sh -c"
                        + " 'echo $OMPI_COMM_WORLD_RANK on $CUDA_VISIBLE_DEVICES'")
                .expect(0);
        awaitStatus("dist", "Succeeded");
        List<String> ranks = type("runai logs dist").expect(0).out().lines().sorted().toList();
        assertEquals(List.of("0 on 0,1", "1 on 0,1", "2 on 0,1"), ranks);
        type("runai delete dist").expect(0);
    }

    @Test
    void r23r24ACommandAndAShellRunInsideARunningJob() {
        type("runai submit inside -i none -g 0 -e COLOR=red --command -- sleep 600").expect(0);
        awaitStatus("inside", "Running");
        assertEquals("red\n", type("runai exec inside -- sh -c 'echo $COLOR'").expect(0).out());
        assertEquals(7, type("runai exec inside sh -c 'exit 7'").code());
        assertEquals("red\n", type("echo 'echo $COLOR' | runai bash inside").expect(0).out());
        type("runai delete inside").expect(0);
    }

    @Test
    void whoAttachesAtTheSubmitSeesTheJobAndItsExitCode() {
        var attached =
                type(
                        "echo 5 | runai submit reader -i none -g 0 --backoff-limit 0 --stdin"
                                + " --attach --command -- sh -c 'read code; echo got $code; exit"
                                + " $code'");
        assertEquals(5, attached.code(), attached.err());
        assertTrue(attached.out().endsWith("got 5\n"), attached.out());
        awaitStatus("reader", "Failed");
        type("runai delete reader").expect(0);
    }

    @Test
    void r8r21TwoHalvesShareOneGpuAndADeletedJobIsStopped() {
        for (String name : List.of("half-1", "half-2")) {
            type("runai submit "
                            + name
                            + " -i none -g 0.5 --command -- sh -c 'echo"
                            + " $CUDA_VISIBLE_DEVICES; exec sleep 600'")
                    .expect(0);
            awaitStatus(name, "Running");
        }
        Eventually.when(
                "both GPUs",
                () ->
                        !type("runai logs half-1").out().isEmpty()
                                && !type("runai logs half-2").out().isEmpty());
        assertEquals(type("runai logs half-1").out(), type("runai logs half-2").out());
        String listed = type("runai list jobs").expect(0).out();
        String row =
                "(?s).*\nhalf-1 +Running +\\S+ +\\S+ +none +Train +cvlab +\\S+ +0.5 \\(0.5\\) .*";
        assertTrue(listed.matches(row), listed);
        assertEquals(
                "The job 'half-1' has been deleted\nThe job 'half-2' has been deleted\n",
                type("runai delete half-1 half-2").expect(0).out());
        assertFalse(type("runai list jobs").out().contains("half-"));
    }

    @Test
    void r3r15a63AJobWithoutANameIsNumberedAndAFailedOneIsTriedAgain() {
        type("runai submit -i none --backoff-limit 1 --command -- sh -c 'echo try; exit 3'")
                .expect(0);
        awaitStatus("job-0", "Failed");
        String described = type("runai describe job job-0").expect(0).out();
        assertTrue(described.contains("\nFAILED PODS:           2\n"), described);
        assertTrue(
                type("runai submit -i none --interactive --command -- true")
                        .expect(0)
                        .out()
                        .startsWith("The job 'job-1' "));
        awaitStatus("job-1", "Succeeded");
        assertTrue(type("runai list jobs").out().contains(" Interactive "));
    }

    @Test
    void r16TheDocumentNamesEveryFlag() throws IOException {
        String document = Files.readString(Installation.root().resolve("docs/runai.md"));
        var missing = new ArrayList<String>();
        for (Flag flag : Flags.ALL) {
            if (!document.contains("`" + flag.name())) missing.add(flag.name());
        }
        assertEquals(List.of(), missing);
    }
}
