package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Pod files of Kubernetes, submitted as they are. The caller is ann. */
class PodFilesTest {
    private static final String POD =
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: my-pod, labels: {user: %s}}
            spec:
              restartPolicy: Never
              containers:
                - image: i
                  command: [%s]
            """;

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        shell.environment.put("FAIRLEAD_HOME", folder.resolve("home").toString());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Shell.Result submit(String text, String... options) throws IOException {
        Files.writeString(folder.resolve("pod.yaml"), text);
        var words = new ArrayList<>(List.of("submit", "-f", "pod.yaml"));
        words.addAll(List.of(options));
        return shell.type(words.toArray(String[]::new));
    }

    /** One of those in the repository, of the user who is here. */
    private static String example(String name) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("examples/pods"))) root = root.getParent();
        return Files.readString(root.resolve("examples/pods/" + name))
                .replace("your-username", "ann");
    }

    @Test
    void r33r39TheExamplesAreSubmittedToACluster() throws IOException {
        server.runsImages = true;
        for (String name : List.of("example-test", "example-job", "example-jupyter")) {
            var result = submit(example(name + ".yaml"));
            assertEquals("", result.err());
            assertEquals(0, result.code());
        }
        SpecBody test = server.submitted.get(0);
        assertEquals("ann-example-test", test.name());
        assertEquals("ann-example-test", test.container().podName());
        assertEquals(1, test.priority());
        assertEquals(List.of("/opt/lab/setup_and_wait.sh"), test.command());
        assertEquals(String.valueOf(8L << 30), test.container().shm());
        assertEquals("always", test.container().pullPolicy());
        assertEquals(0, test.gpus());
        assertEquals("123456", test.env().get("CLUSTER_USER_ID"));
        assertEquals("", test.workdir());
        assertEquals(
                List.of("claim:pv-cvlabsrc1:/cvlabsrc1", "claim:pv-cvlabdata2:/cvlabdata2"),
                test.mounts());
        SpecBody job = server.submitted.get(1);
        assertEquals(-1, job.priority());
        assertEquals(2, job.cpus());
        assertEquals(
                "cd /cvlabdata2/home/ann/kubernetes_example && python job_example.py",
                job.command().getLast());
        SpecBody notebook = server.submitted.get(2);
        assertEquals(List.of("8888:8888"), notebook.ports());
        assertEquals(
                "/cvlabdata2/home/ann/kubernetes_example/.jupyter",
                notebook.env().get("JUPYTER_CONFIG_DIR"));
        assertTrue(notebook.command().getLast().startsWith("timeout 4h jupyter lab"));
    }

    @Test
    void withoutContainersClaimsAreFoldersAndTheLabsScriptIsAShell() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        assertEquals(0, shell.type("runai", "config", "pvc", "pv-cvlabdata2", "data").code());
        var result = submit(example("example-job.yaml"));
        assertEquals(0, result.code(), result.err());
        assertTrue(result.err().contains("belongs to the image"), result.err());
        SpecBody job = server.submitted.getFirst();
        assertEquals(List.of(data + ":/cvlabdata2"), job.mounts());
        assertEquals("sh", job.command().getFirst());
    }

    @Test
    void aFolderAtTheClaimsPathStandsForIt() throws IOException {
        String mounts =
                "      volumeMounts: [{name: a, mountPath: /tmp, readOnly: true}, {name: b,"
                        + " mountPath: /no/such}]\n"
                        + "  volumes:\n"
                        + "    - {name: a, persistentVolumeClaim: {claimName: one}}\n"
                        + "    - {name: b, persistentVolumeClaim: {claimName: two}}\n";
        var result = submit(POD.formatted("ann", "ls") + mounts);
        assertEquals(
                "fairlead: claim one: the machine's own /tmp is used\n"
                        + "fairlead: the claim 'two' is unknown, and there is no folder /no/such;"
                        + " 'runai config pvc two FOLDER' says where it is\n",
                result.err());
        assertEquals(
                List.of("/tmp:/tmp:ro", "claim:two:/no/such"),
                server.submitted.getFirst().mounts());
    }

    @Test
    void podsAndJobsOfOursMayStandInOneFile() throws IOException {
        var result =
                submit(
                        POD.formatted("ann", "ls")
                                + "---\nname: ours\ncommand: date\n---\n"
                                + POD.formatted("ann", "pwd").replace("my-pod", "other"));
        assertEquals(0, result.code(), result.err());
        assertEquals(
                List.of("my-pod", "ours", "other"),
                server.submitted.stream().map(SpecBody::name).toList());
        assertNull(server.submitted.get(1).container());
    }

    @Test
    void aPodOfSomebodyElseIsTheCallersUnlessAnAdminSaysSo() throws IOException {
        var own = submit(POD.formatted("bob", "ls"));
        assertEquals(0, own.code());
        assertEquals(
                "fairlead: the label user says 'bob', but the job is ann's; an admin submits it for"
                        + " them with --as bob\n",
                own.err());
        assertNull(server.as);
        var theirs = submit(POD.formatted("bob", "ls").replace("my-pod", "b"), "--as", "bob");
        assertEquals("", theirs.err());
        assertEquals("bob", server.as);
    }

    @Test
    void optionsGoBeforeAPodFile() throws IOException {
        assertEquals(
                0,
                submit(
                                POD.formatted("ann", "ls"),
                                "--gpu",
                                "0.5",
                                "--project",
                                "vision",
                                "--interactive",
                                "--shm",
                                "1G")
                        .code());
        SpecBody spec = server.submitted.getFirst();
        assertEquals("0.5", spec.gpu());
        assertNull(spec.gpus());
        assertEquals("vision", spec.project());
        assertEquals(true, spec.interactive());
        assertEquals("1G", spec.container().shm());
    }

    @Test
    void mistakesAndRefusalsNameTheLineOfTheFile() throws IOException {
        var odd = submit(POD.formatted("ann", "ls") + "      tty: maybe\n");
        assertEquals(2, odd.code());
        assertTrue(
                odd.err()
                        .startsWith("fairlead: pod.yaml:9: spec.containers[0].tty must be true or"),
                odd.err());
        var ignored = submit(POD.formatted("ann", "ls") + "      livenessProbe: {}\n");
        assertEquals(
                "fairlead: pod.yaml:9: spec.containers[0].livenessProbe is ignored\n",
                ignored.err());
        server.refusal = new ErrorBody("invalid", "jobs[0].image: is odd", "jobs[0].image", null);
        var refused = submit(POD.formatted("ann", "ls"));
        assertTrue(refused.err().startsWith("fairlead: pod.yaml:7: "), refused.err());
    }
}
