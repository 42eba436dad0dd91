package fairlead.dialects.runai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@code runai submit} makes of its words where jobs run inside their images. */
class SubmitToImagesTest {
    private static final String LEAST = "train -i image --command -- python3 train.py";

    private static Surroundings here() {
        return new Surroundings(
                Path.of("/home/ann"), "lab", Map.of("data", "/srv"), "big", true, "1000:100");
    }

    private static Order order(String line) throws Misuse, Declined {
        return Typed.order(line, here());
    }

    private static SpecBody spec(String line) throws Misuse, Declined {
        return order(line).spec(Set.of());
    }

    private static String with(String flags) {
        return LEAST.replace(" --command", " " + flags + " --command");
    }

    /** Containers on the server's own machine: its ports are theirs, and it has no claims. */
    @Test
    void onOneMachineFoldersStandForClaimsAndPortsAreItsOwn() throws Exception {
        var machine =
                new Surroundings(
                        Path.of("/home/ann"), "lab", Map.of("c", "/srv"), null, true, true, null);
        SpecBody spec =
                Typed.order(with("--pvc c:/data:ro --pvc d:/tmp --port 80:80"), machine)
                        .spec(Set.of());
        assertEquals(List.of("/srv:/data:ro", "/tmp:/tmp"), spec.mounts());
        assertEquals("nodeport", spec.container().service());
        SpecBody note = Typed.order("note --jupyter", machine).spec(Set.of());
        assertTrue(note.command().contains("--ip=127.0.0.1"), note.command().toString());
        assertThrows(
                Misuse.class, () -> Typed.order(with("-s loadbalancer --port 80:80"), machine));
    }

    @Test
    void theLeastLineSaysNothingThatTheImageKnowsBetter() throws Exception {
        SpecBody spec = spec(LEAST);
        assertEquals("big", spec.cluster());
        assertEquals("image", spec.image());
        assertEquals(List.of("python3", "train.py"), spec.command());
        assertNull(spec.workdir());
        assertEquals(Map.of(), spec.env());
        assertNull(spec.container().entrypoint());
        assertEquals("always", spec.container().pullPolicy());
        assertEquals("train-0-0", spec.container().podName());
        assertNull(spec.container().service());
        assertEquals(List.of(), order(LEAST).warnings());
    }

    /** The line of the lab's own script. */
    @Test
    void r12r30r33TheLabsScriptIsHonouredToTheLetter() throws Exception {
        Order order =
                order(
                        "name-hello-1 -i lab-python-ml:cuda10 --gpu 0.5 --pvc"
                            + " runai-pv-cvlabdata1:/cvlabdata1 --pvc"
                            + " runai-pv-cvlabsrc1:/cvlabsrc1:ro --large-shm -e CLUSTER_USER=ann -e"
                            + " CLUSTER_USER_ID=1234 -e TORCH_HOME=/cvlabsrc1/zoo --command --"
                            + " /opt/lab/setup_and_run_command.sh pwd");
        SpecBody spec = order.spec(Set.of());
        assertEquals(List.of(), order.warnings());
        assertEquals(List.of("/opt/lab/setup_and_run_command.sh", "pwd"), spec.command());
        assertEquals(
                List.of(
                        "claim:runai-pv-cvlabdata1:/cvlabdata1",
                        "claim:runai-pv-cvlabsrc1:/cvlabsrc1:ro"),
                spec.mounts());
        assertEquals("8G", spec.container().shm());
        assertEquals("0.5", spec.gpu());
        assertEquals("1234", spec.env().get("CLUSTER_USER_ID"));
        assertEquals(
                "runai submit name-hello-1 -p lab -i lab-python-ml:cuda10 --gpu 0.5 --pvc"
                        + " runai-pv-cvlabdata1:/cvlabdata1 --pvc runai-pv-cvlabsrc1:/cvlabsrc1:ro"
                        + " --large-shm --command -- /opt/lab/setup_and_run_command.sh pwd",
                JobWords.commandLine(spec));
    }

    /** As {@code runai_interactive.sh} of the lab does. */
    @Test
    void r32AnInteractiveNotebookIsReachedThroughAForwardedPort() throws Exception {
        Order order =
                order(
                        "ann-inter -i image --interactive --gpu 0.5 --port 8888:8888 -s portforward"
                                + " --command -- timeout --preserve-status --kill-after=1m 8h"
                                + " jupyter lab");
        SpecBody spec = order.spec(Set.of());
        assertEquals(true, spec.interactive());
        assertEquals(0, spec.retries());
        assertEquals(List.of("8888:8888"), spec.ports());
        assertEquals(
                List.of(
                        "Run `runai port-forward ann-inter 8888:8888 -p lab` and open"
                                + " http://localhost:8888"),
                order.ways(spec));
        assertEquals(List.of(), order.warnings());
    }

    @ParameterizedTest
    @CsvSource({
        "fast:5Gi:/data,       new-claim:fast:5368709120:/data",
        "fast:5Gi:/data:ro,    new-claim:fast:5368709120:/data:ro",
        ":1k:/data,            new-claim::1000:/data",
        "data:/data:rw,        claim:data:/data",
        "data:/data,           claim:data:/data"
    })
    void r10ClaimsAreTheClusters(String said, String meant) throws Exception {
        assertEquals(List.of(meant), spec(with("--pvc " + said)).mounts());
    }

    @Test
    void withoutTheFlagTheWordsAreArgumentsOfTheImagesProgram() throws Exception {
        SpecBody some = spec("train -i image -- --lr 0.1");
        assertEquals(List.of("--lr", "0.1"), some.command());
        assertEquals(true, some.container().entrypoint());
        SpecBody none = spec("train -i image");
        assertNull(none.command());
        assertEquals(true, none.container().entrypoint());
        assertEquals("runai submit train -p lab -i image --gpu 0", JobWords.commandLine(none));
        assertThrows(Misuse.class, () -> order("train -i image --command"));
    }

    @Test
    void whatAPodCanHaveItGets() throws Exception {
        SpecBody spec =
                spec(
                        with(
                                "--gpu 1 --memory 4Gi --large-shm --host-ipc --host-network"
                                        + " --run-as-user --image-pull-policy IfNotPresent --stdin"
                                        + " -t --node-type a100 --port 30080:80 -s loadbalancer"
                                        + " --working-dir /work"));
        assertEquals(String.valueOf(2L << 30), spec.container().shm());
        assertEquals(true, spec.container().hostIpc());
        assertEquals(true, spec.container().hostNetwork());
        assertEquals("1000:100", spec.container().runAs());
        assertEquals("if-not-present", spec.container().pullPolicy());
        assertEquals(true, spec.container().stdin());
        assertEquals(true, spec.container().tty());
        assertEquals("a100", spec.gpuType());
        assertEquals("loadbalancer", spec.container().service());
        assertEquals("/work", spec.workdir());
        assertEquals(List.of(), order(with("--gpu 1 --node-type a100")).warnings());
    }

    @Test
    void aNotebookHasAnImageOfItsOwnAndListensToAll() throws Exception {
        Order order = order("note --jupyter --gpu 1");
        SpecBody spec = order.spec(Set.of());
        assertEquals("jupyter/scipy-notebook", spec.image());
        assertEquals(
                List.of(
                        "jupyter",
                        "lab",
                        "--ip=0.0.0.0",
                        "--port=8888",
                        "--no-browser",
                        "--allow-root"),
                spec.command());
        assertNull(spec.container().entrypoint());
        assertEquals(List.of("8888:8888"), spec.ports());
        assertEquals(true, spec.interactive());
        assertEquals(1, order.ways(spec).size());
        assertEquals("nodeport", spec("note --jupyter -s nodeport").container().service());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--node-type a100              | the job has none",
                "--image-pull-policy Sometimes | Always, IfNotPresent or Never",
                "--working-dir sub             | absolute path inside the image",
                "-t                            | --tty needs --stdin",
                "-s ingress --port 80:80       | say nodeport",
                "-s nodeport                   | needs --port",
                "--gpu 1 --gpu-memory 8G       | exclude each other",
                "--pvc data                    | existing:path",
                "--pvc :/data                  | existing:path",
                "--pvc a:b:c:d:e               | existing:path",
                "-v /data                      | host:container",
                "--inference                   | not possible here",
            })
    void whatCannotBeMeantIsTold(String flags, String message) {
        var misuse = assertThrows(Misuse.class, () -> order(with(flags)));
        assertTrue(misuse.getMessage().contains(message), misuse.getMessage());
    }

    @Test
    void anAccountWhoseNumbersAreUnknownIsTold() {
        var nobody = new Surroundings(Path.of("/"), "lab", Map.of(), null, true, null);
        var misuse = assertThrows(Misuse.class, () -> Typed.order(with("--run-as-user"), nobody));
        assertTrue(misuse.getMessage().contains("--run-as UID:GID"), misuse.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "--port 8888 -s nodeport",
        "--create-home-dir",
        "--ttl-after-finish 1h",
        "--elastic"
    })
    void whatIsIgnoredIsToldInOneLine(String flags) throws Exception {
        assertEquals(1, order(with(flags)).warnings().size());
    }
}
