package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Goal: a training that makes room for another loses nothing and repeats nothing, whenever the
 * server dies. Method: the three example scripts as real processes on two declared GPUs, two of
 * ann's and one of bob's; the server is killed by SIGKILL while all is quiet, while the victim is
 * asked to stop, and while it waits. Each script notes every epoch that it has done beside its
 * checkpoint, and these notes must be exact.
 */
class TrainingTest {
    /** Of ann's scripts: long enough that they still train when bob comes. */
    private static final int EPOCHS = 60;

    private static final int BOBS_EPOCHS = 4;

    /** Bob's job must outlive a start of the server, to tell it of its epochs. */
    private static final String BOBS_STEP_SECONDS = "0.06";

    private static final String STEP_SECONDS = "0.02";
    private static final Pattern STOPPED =
            Pattern.compile(
                    "fairlead: stopped at \\S+ \\S+ UTC for (\\S+) \\(.*\\): "
                            + "lost nothing: it stopped at a checkpoint after epoch (\\d+) of "
                            + EPOCHS);

    @TempDir Path folder;
    private final Map<String, String> scripts = new HashMap<>();
    private Installation installation;
    private Caller caller;

    @Test
    void aPreemptedTrainingGoesOnWhereItWasHoweverOftenTheServerDies() throws Exception {
        try (var fairlead =
                Installation.withSettings(
                        folder.resolve("home"),
                        "gpus = 2",
                        "policy = fair",
                        "undisturbed = 1s",
                        "port = " + freePort())) {
            installation = fairlead;
            installation.run("server", "start").expect(0);
            caller = new Caller(installation);
            List<String> anns =
                    List.of(
                            train("ann", "plain_loop.py", EPOCHS, STEP_SECONDS),
                            train("ann", "published_names.py", EPOCHS, STEP_SECONDS));
            for (String job : anns) awaitEpochs(job, 2);
            killAndStart();
            for (String job : anns) awaitEpochs(job, 4);

            String bobs = train("bob", "long_epochs.py", BOBS_EPOCHS, BOBS_STEP_SECONDS);
            String victim = awaitVictim(anns);
            killAndStart();
            Matcher receipt = awaitReceipt(victim);
            assertEquals(bobs, receipt.group(1));
            int saved = Integer.parseInt(receipt.group(2));
            killAndStart();

            for (String job : List.of(bobs, anns.get(0), anns.get(1))) {
                Eventually.when("the end of " + job, () -> field(job, "state").equals("succeeded"));
            }
            checkEpochs(bobs, BOBS_EPOCHS, "1");
            for (String job : anns) checkEpochs(job, EPOCHS, job.equals(victim) ? "2" : "1");
            assertTrue(saved > 0 && saved < EPOCHS, "it stopped after epoch " + saved);
            assertEquals(
                    "epoch " + saved + ":",
                    log(victim, 2).lines().findFirst().orElse("").replaceAll(":.*", ":"),
                    "it went on with the next epoch");
            assertEquals("0.0", field(victim, "lostSeconds"));
        }
    }

    /** The same for each server: a job that names an account is not told of another address. */
    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** On a server of root's, somebody else's job must name its account. */
    private static String account() {
        String name = System.getProperty("user.name");
        return name.equals("root") ? "\"user\":\"root\"," : "";
    }

    private String train(String owner, String script, int epochs, String stepSeconds) {
        Path root = Installation.root();
        String body =
                """
                {"as":"%s","jobs":[{"name":"train",%s"command":["python3","%s","--step-seconds","%s"],
                "gpus":1,"workdir":"%s","training":{"epochs":%d,"batchSize":16,"trainingSetSize":320},
                "env":{"PYTHONPATH":"%s","PYTHONDONTWRITEBYTECODE":"1","FAIRLEAD_SNAPSHOTS":"%s"}}]}\
                """
                        .formatted(
                                owner,
                                account(),
                                script,
                                stepSeconds,
                                root.resolve("examples/training"),
                                epochs,
                                root.resolve("python"),
                                folder.resolve(script));
        var reply = caller.call("POST", "/v1/jobs", body).orElseThrow();
        assertEquals(201, reply.status(), reply.body());
        scripts.put(reply.id(), script);
        return reply.id();
    }

    private void killAndStart() throws IOException {
        installation.killServer();
        installation.run("server", "start").expect(0);
    }

    private void awaitEpochs(String job, int least) {
        Eventually.when(
                least + " epochs of " + job,
                () -> {
                    String done = field(job, "epochsDone");
                    return !done.isEmpty() && Integer.parseInt(done) >= least;
                });
    }

    /** The one of these that is asked to stop at its next checkpoint, or has just done so. */
    private String awaitVictim(List<String> jobs) {
        Eventually.when(
                "a victim", () -> jobs.stream().anyMatch(job -> isDisplaced(field(job, "state"))));
        return jobs.stream()
                .filter(job -> isDisplaced(field(job, "state")))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isDisplaced(String state) {
        return state.equals("stopping") || state.equals("queued");
    }

    private Matcher awaitReceipt(String job) {
        Eventually.when("a receipt", () -> STOPPED.matcher(log(job, 1)).find());
        Matcher receipt = STOPPED.matcher(log(job, 1));
        assertTrue(receipt.find());
        return receipt;
    }

    private String field(String job, String name) {
        return caller.get("/v1/jobs/" + job).field(name);
    }

    private String log(String job, int attempt) {
        return caller.get("/v1/jobs/" + job + "/logs?attempt=" + attempt).body();
    }

    private void checkEpochs(String job, int epochs, String attempts) throws IOException {
        assertEquals(Integer.toString(epochs), field(job, "epochsDone"), job);
        assertEquals(attempts, field(job, "attempts"), job);
        List<String> wanted = IntStream.range(0, epochs).mapToObj(Integer::toString).toList();
        assertEquals(wanted, Files.readAllLines(checkpoints(job).resolve("epochs.txt")), job);
        String model = Files.readString(checkpoints(job).resolve("model.json"));
        assertTrue(model.contains("\"epoch\": " + epochs), model);
    }

    /** In a folder of the job's own, which has the same name in every attempt. */
    private Path checkpoints(String job) throws IOException {
        try (Stream<Path> inside = Files.list(folder.resolve(scripts.get(job)))) {
            List<Path> folders = inside.toList();
            assertEquals(1, folders.size(), folders.toString());
            return folders.getFirst();
        }
    }
}
