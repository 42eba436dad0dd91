package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The lab's guide to pods, on a machine without containers and with one GPU. */
class PodsTest {
    @TempDir static Path folder;
    private static Installation fairlead;
    private static Path work;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 1", "stop-grace = 1s");
        work = Files.createDirectories(folder.resolve("work"));
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    /** What is typed in the folder of the work; our commands are on the path. */
    private static Installation.Result type(String line) {
        return fairlead.type(
                "PATH=\"%s:$PATH\"; export PATH; cd '%s'; %s"
                        .formatted(Installation.root().resolve("bin"), work, line));
    }

    private static void pod(String name, String user, String command) throws IOException {
        Files.writeString(
                work.resolve(name + ".yaml"),
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  labels: {user: %s, priority: "0-2"}
                spec:
                  restartPolicy: Never
                  containers:
                    - name: main
                      image: lab-base:cpu
                      command: ["/opt/lab/setup_and_run_command.sh", "%s"]
                      env:
                        - {name: WORK_DIR, value: "%s"}
                        - {name: GREETING, value: "hello from $(WORK_DIR)"}
                      resources:
                        limits: {cpu: 500m, memory: 64Mi}
                """
                        .formatted(name, user, command, work));
    }

    /**
     * Goal: a container lives as long as its last experiment. Method: the last one is the slowest.
     */
    @Test
    void r41SeveralExperimentsInOneJobEndWithTheLast() throws IOException {
        Files.writeString(
                work.resolve("my_job.sh"),
                """
                (sleep 0.2; echo one) &
                (sleep 1; echo three; touch ended) &
                (sleep 0.6; echo two) &
                wait
                """);
        assertEquals("one\ntwo\nthree\n", type("fairlead -n 0 run bash my_job.sh").expect(0).out());
        assertTrue(Files.exists(work.resolve("ended")));
    }

    @Test
    void r41ACommandWithATimeoutEndsByItself() {
        assertEquals(124, type("fairlead -n 0 run timeout 1s sleep 600").code());
        assertEquals(143, type("fairlead -n 0 run timeout --preserve-status 1s sleep 600").code());
        type("fairlead -n 0 run timeout --preserve-status --kill-after=1m 8h true").expect(0);
    }

    @Test
    void r37APodFileRunsAsItIs() throws IOException {
        String me = type("id -un").out().strip();
        pod("my-pod", me, "cd $(WORK_DIR) && echo $GREETING && pwd");
        var submitted = type("fairlead submit -f my-pod.yaml").expect(0);
        assertTrue(submitted.out().startsWith("my-pod_"), submitted.out());
        assertTrue(submitted.err().contains("bash runs its command"), submitted.err());
        String id = submitted.out().strip();
        type("fairlead wait " + id).expect(0);
        assertEquals(
                "hello from " + work + "\n" + work + "\n",
                type("fairlead logs " + id).expect(0).out());
        String spec = type("fairlead spec " + id).expect(0).out();
        assertTrue(spec.contains("priority: -2\n"), spec);
        assertTrue(spec.contains("cpus: 1\nmemory: \"64M\"\n"), spec);
        assertTrue(spec.contains("container:\n  podName: my-pod\n"), spec);

        var again = type("fairlead submit -f my-pod.yaml");
        assertEquals(4, again.code());
        assertTrue(again.err().contains("delete that job to free the name"), again.err());
        type("fairlead delete " + id).expect(0);
        type("fairlead submit -f my-pod.yaml").expect(0);
    }

    @Test
    void aPodOfSomebodyElseIsToldAndAFileMayHoldSeveral() throws IOException {
        pod("first", "somebody-else", "true");
        pod("second", "somebody-else", "exit 3");
        var result = type("(cat first.yaml; echo ---; cat second.yaml) | fairlead submit -f -");
        assertEquals(2, result.expect(0).out().lines().count());
        assertTrue(result.err().contains("--as somebody-else"), result.err());
        assertEquals(
                1, type("fairlead wait " + result.out().replace('\n', ' ')).code(), result.out());
    }

    /** As the lab's runai_interactive.sh does it. */
    @Test
    void r32AnInteractiveNotebookHoldsHalfAGpuUntilItsTimeIsOver() throws IOException {
        Path program = Files.createDirectories(work.resolve("programs")).resolve("jupyter");
        Files.writeString(program, "#!/bin/sh\necho \"notebook $*\"\nexec sleep 600\n");
        program.toFile().setExecutable(true);
        String path = "PATH='" + program.getParent() + "':$PATH; export PATH; ";
        var submitted =
                type(path
                                + "runai submit ann-inter -p default -i lab --interactive -g 0.5"
                                + " --port 8888:8888 --command -- /opt/lab/setup_and_run_command.sh"
                                + " 'timeout --preserve-status --kill-after=1m 2s jupyter lab'")
                        .expect(0);
        assertTrue(submitted.out().startsWith("The job 'ann-inter' has been submitted"));
        type(
                "fairlead wait $(fairlead list --all --json | grep -o 'ann-inter_[0-9a-f_]*' | head"
                        + " -1)");
        assertEquals("notebook lab\n", type("runai logs ann-inter -p default").out());
        assertTrue(
                type("runai list jobs -p default")
                        .out()
                        .matches("(?s).*\nann-inter +Failed .* Interactive .*"));

        type(path + "runai submit note -p default --jupyter").expect(0);
        Eventually.when(
                "the notebook",
                () ->
                        type("runai logs note -p default")
                                .out()
                                .equals(
                                        "notebook lab --ip=127.0.0.1 --port=8888"
                                                + " --no-browser\n"));
        String listed = type("runai list jobs -p default").out();
        assertTrue(listed.matches("(?s).*\nnote +Running .*http://[^ ]+:8888\n.*"), listed);
        type("runai delete note -p default").expect(0);
    }
}
