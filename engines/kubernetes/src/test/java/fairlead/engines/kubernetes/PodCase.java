package fairlead.engines.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.EngineException;
import fairlead.engine.Observation;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Pod;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/** An engine on a cluster of its own, with two nodes of two GPUs each. */
abstract class PodCase {
    static final TaskId MAIN = new TaskId(Role.MAIN, 0);
    static final String NODE = "node-a";
    static final String OTHER = "node-b";
    static final String FOREVER = "sleep 600";
    private static final Duration START_PATIENCE = Duration.ofSeconds(2);

    /** Generous: it bounds a failure on a busy machine and costs a success nothing. */
    @TempDir Path folder;

    TestCluster cluster;

    /** Null before a real API server. */
    ApiFront front;

    KubernetesEngine engine;

    @BeforeEach
    final void open() throws Exception {
        cluster = openCluster(TestNode.withGpus(NODE, 2), TestNode.withGpus(OTHER, 2));
        front = cluster.front().orElse(null);
        engine = KubernetesEngine.open(settings());
    }

    TestCluster openCluster(TestNode... nodes) throws IOException {
        return TestCluster.mock(folder, nodes);
    }

    final KubernetesSettings settings() {
        return Pods.settings(cluster, folder.resolve("home"), START_PATIENCE);
    }

    @AfterEach
    final void close() {
        engine.close();
        cluster.close();
    }

    /** With other settings, in a home that nobody has used. */
    final void reopen(String namespace, KubernetesSettings.Rules rules) throws EngineException {
        engine.close();
        var home = folder.resolve("home-of-" + namespace);
        engine =
                KubernetesEngine.open(
                        Pods.settings(cluster, home, START_PATIENCE, namespace, rules));
    }

    /** As a restarted server does. */
    final void reopen() throws EngineException {
        engine.close();
        engine = KubernetesEngine.open(settings());
    }

    static Role role(String name, int count, Resources resources, String script) {
        return new Role(
                name,
                count,
                List.of("sh", "-c", script),
                resources,
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    static JobSpec spec(String script) {
        var none = new Resources(0, 0, 0);
        return spec(List.of(role(Role.MAIN, 1, none, script)), Map.of(), Container.NONE);
    }

    static JobSpec spec(List<Role> roles, Map<String, String> environment, Container container) {
        var spec = new JobSpec.Edit();
        spec.name = "train";
        spec.cluster = "lab";
        spec.project = "default";
        spec.priority = 3;
        spec.roles = roles;
        spec.environment = environment;
        spec.workingFolder = "/";
        spec.container = container;
        return spec.spec();
    }

    /** The first attempt of a new job, all on one node. */
    static Effect.Launch effect(JobSpec spec, String node, Share... shares) {
        var id = JobId.of(spec.name(), Instant.now(), ThreadLocalRandom.current().nextInt());
        return effect(id, 1, spec, node, shares);
    }

    static Effect.Launch effect(JobId id, int number, JobSpec spec, String node, Share... shares) {
        var job = Job.submitted(id, spec, "me", Instant.now(), Optional.empty(), Optional.empty());
        var places = new ArrayList<TaskPlacement>();
        for (Role role : spec.roles()) {
            for (int i = 0; i < role.count(); i++) {
                places.add(new TaskPlacement(new TaskId(role.name(), i), node, List.of(shares)));
            }
        }
        return new Effect.Launch(
                job, new Attempt(new AttemptId(id, number), new Placement(places)));
    }

    final AttemptId launch(String script) throws EngineException {
        return launch(effect(spec(script), cluster.nodes().getFirst()));
    }

    final AttemptId launch(Effect.Launch launch) throws EngineException {
        engine.launch(launch);
        return launch.attempt();
    }

    /** Until the task has written the word. */
    final AttemptId launchAndAwait(String script, String word) throws Exception {
        var attempt = launch(script);
        Eventually.when(word, () -> log(attempt).contains(word));
        return attempt;
    }

    final Optional<Observation> seen(AttemptId attempt) throws EngineException {
        return engine.observe().stream().filter(seen -> seen.attempt().equals(attempt)).findFirst();
    }

    final Exit awaitExit(AttemptId attempt) throws Exception {
        return awaitExit(attempt, MAIN);
    }

    final Exit awaitExit(AttemptId attempt, TaskId task) throws Exception {
        Eventually.when(
                attempt + " " + task + " ended",
                () -> seen(attempt).map(seen -> seen.exits().containsKey(task)).orElse(false));
        return seen(attempt).orElseThrow().exits().get(task);
    }

    final String log(AttemptId attempt) throws EngineException, IOException {
        return log(attempt, MAIN);
    }

    final String log(AttemptId attempt, TaskId task) throws EngineException, IOException {
        var log = engine.log(attempt, task);
        return new String(log.read(log.start(), 1 << 20), UTF_8);
    }

    final Pod pod(AttemptId attempt) {
        return Pods.of(cluster, attempt).getFirst();
    }
}
