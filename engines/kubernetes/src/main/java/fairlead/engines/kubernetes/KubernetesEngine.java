package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engine.GpuUse;
import fairlead.engine.Observation;
import fairlead.engine.Sessions;
import fairlead.engine.TaskLog;
import fairlead.engine.Terms;
import fairlead.engine.remote.RemoteAttempts;
import fairlead.engines.kubernetes.apiserver.Problems;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.TaskId;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Tasks as pods of a Kubernetes cluster. Pods bear this home's id, by which a later engine finds
 * them; what was ordered and how tasks ended lies in the home too. Two watches report what happens;
 * nothing is listed or polled. Any thread may call; one thread of its own ({@link Keeper}) looks
 * after the pods, and each running pod has one that copies its log.
 */
public final class KubernetesEngine implements Engine, Sessions, Terms {
    /** Long enough for the first list of a large cluster; a dead one is known sooner. */
    private static final Duration FIRST_LIST_WITHIN = Duration.ofSeconds(5);

    private final KubernetesSettings settings;
    private final Home home;
    private final KubernetesClient client;
    private final Cluster cluster;
    private final Watched watched;
    private final Launcher launcher;
    private final Looker looker;
    private final Keeper keeper;
    private final PodSessions sessions;
    private final Errands errands = new Errands();
    private final RemoteAttempts<LiveAttempt> attempts;
    private final SeenNodes nodes;

    /** Takes up everything of this home, as soon as the cluster can be reached. */
    public static KubernetesEngine open(KubernetesSettings settings) throws EngineException {
        Home home = null;
        try {
            home = Home.open(settings.home());
            return new KubernetesEngine(settings, home, Connection.open(settings));
        } catch (IOException | EngineException | IllegalArgumentException problem) {
            if (home != null) home.close();
            throw problem instanceof EngineException told
                    ? told
                    : new EngineException(
                            "cannot open the engine of the cluster "
                                    + settings.cluster()
                                    + ": "
                                    + problem.getMessage(),
                            problem);
        }
    }

    private KubernetesEngine(KubernetesSettings settings, Home home, KubernetesClient client)
            throws IOException {
        this.settings = settings;
        this.home = home;
        this.client = client;
        Optional<ObjectNode> template = template(settings);
        this.cluster = new Cluster(client, settings.cluster());
        this.watched = new Watched(settings, cluster, home.server(), this::changed);
        this.nodes = new SeenNodes(settings, template, home.server(), watched);
        var reservations = new Reservations(settings, template, home.server(), cluster, watched);
        this.launcher =
                new Launcher(settings, home, cluster, watched, reservations, nodes, template);
        this.looker =
                new Looker(
                        settings,
                        home.server(),
                        cluster,
                        watched,
                        errands,
                        nodes,
                        attempt -> lookSoon(attempt.id));
        this.attempts =
                new RemoteAttempts<>(
                        settings.cluster(),
                        home.files(),
                        this,
                        IOException::getMessage,
                        new PodOrders());
        this.keeper = new Keeper(home, attempts, watched, reservations, looker);
        this.sessions = new PodSessions(cluster, attempts, looker);
        keeper.recover();
        watched.start();
        watched.awaitSync(FIRST_LIST_WITHIN);
        keeper.start();
    }

    private static Optional<ObjectNode> template(KubernetesSettings settings) throws IOException {
        if (settings.rules().podTemplate().isEmpty()) return Optional.empty();
        Path file = settings.rules().podTemplate().get();
        ObjectNode template;
        try {
            template = PodTemplate.parse(Files.readString(file));
        } catch (IllegalArgumentException problem) {
            throw new IOException(file + " is no pod: " + Problems.line(problem), problem);
        }
        var problem = new PodTemplateRules(settings).ofCluster(template);
        if (problem.isPresent()) throw new IOException(file + ": " + problem.get());
        return Optional.of(template);
    }

    private void changed(Optional<Pod> pod) {
        keeper.changed(pod);
    }

    private void lookSoon(AttemptId attempt) {
        keeper.lookSoon(attempt);
    }

    @Override
    public void launch(Effect.Launch launch) throws EngineException {
        attempts.launch(launch);
    }

    @Override
    public void stop(AttemptId id, Duration grace) throws EngineException {
        attempts.stop(id, grace);
    }

    @Override
    public void forget(AttemptId id) throws EngineException {
        attempts.requireOpen();
        if (attempts.find(id).isEmpty()) return;
        // Which pods there are is not known while no watch works.
        watched.requireSync();
        attempts.forget(id);
    }

    private final class PodOrders implements RemoteAttempts.Service<LiveAttempt> {
        @Override
        public void admit(Effect.Launch launch) throws EngineException, IOException {
            var record = launcher.record(launch);
            home.keep(record);
            attempts.add(new LiveAttempt(record, home.files(launch.attempt())));
        }

        @Override
        public void launch(LiveAttempt attempt, Effect.Launch launch)
                throws EngineException, IOException {
            if (attempt.record.isLaunched() || attempt.stop.isPresent()) return;
            try {
                launcher.launch(attempt, launch);
                attempt.tasks.forEach(task -> task.trouble = "");
                looker.look(attempt);
            } catch (EngineException problem) {
                delayed(attempt, problem);
            }
        }

        @Override
        public void stop(LiveAttempt attempt) throws EngineException, IOException {
            looker.stopAll(attempt);
            looker.look(attempt);
        }

        @Override
        public void forget(LiveAttempt attempt) throws EngineException {
            attempt.stopCopying();
            for (LiveTask task : attempt.tasks) {
                var pod = looker.pod(attempt, task);
                if (pod.isPresent()) looker.release(pod.get());
            }
        }
    }

    /** A GPU that cannot be reserved is reported like an image that cannot be fetched. */
    private void delayed(LiveAttempt attempt, EngineException problem)
            throws EngineException, IOException {
        Instant now = Instant.now();
        LiveTask first = attempt.tasks.getFirst();
        boolean isShared = attempt.tasks.stream().anyMatch(task -> task.record.shared());
        if (first.troubleSince == null) first.troubleSince = now;
        first.trouble = problem.getMessage();
        Duration waited = Duration.between(first.troubleSince, now);
        boolean isOver = waited.compareTo(settings.startPatience()) > 0;
        if (problem.getCause() instanceof Reservations.Declines declines) {
            isOver = waited.compareTo(Looker.placePatience(settings)) > 0;
            if (isOver) nodes.declined(declines.node());
        }
        if (isShared && isOver) {
            for (int rank = 0; rank < attempt.tasks.size(); rank++) {
                attempt.settle(rank, Exit.lost(problem.getMessage(), now));
            }
        }
        attempt.publish();
        throw problem;
    }

    @Override
    public List<Observation> observe() throws EngineException {
        attempts.requireOpen();
        watched.requireSync();
        if (!keeper.isAlive())
            throw new EngineException(
                    "the engine of " + settings.cluster() + " no longer watches its pods");
        return keeper.observations();
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return new Refusals(settings).of(spec);
    }

    @Override
    public boolean runsImages() {
        return true;
    }

    @Override
    public List<Node> nodes() throws EngineException {
        attempts.requireOpen();
        watched.requireSync();
        return nodes.shown();
    }

    /** Nothing in the API of a cluster says it. */
    @Override
    public List<GpuUse> gpuUse() {
        return List.of();
    }

    @Override
    public List<Guest> guests() throws EngineException {
        attempts.requireOpen();
        watched.requireSync();
        return Guests.of(watched.pods(), home.server());
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        return home.log(attempt, task);
    }

    @Override
    public void note(AttemptId id, String line) throws EngineException {
        var attempt = attempts.find(id);
        if (attempt.isEmpty()) return;
        attempts.holding(
                attempt.get(),
                live -> {
                    for (LiveTask task : live.tasks) {
                        if (task.isStarted) looker.note(live, task, line);
                    }
                });
    }

    @Override
    public ExecSession exec(ExecRequest request) throws EngineException {
        attempts.requireOpen();
        return sessions.exec(request);
    }

    @Override
    public ExecSession attach(AttemptId attempt, TaskId task) throws EngineException {
        attempts.requireOpen();
        return sessions.attach(attempt, task);
    }

    @Override
    public ExecSession forward(AttemptId attempt, TaskId task, int port) throws EngineException {
        attempts.requireOpen();
        return sessions.forward(attempt, task, port);
    }

    @Override
    public void deleteLogs(JobId job) throws EngineException {
        attempts.requireEnded(job);
        deleteClaims(job);
        attempts.deleteLogs(job);
    }

    private void deleteClaims(JobId job) throws EngineException {
        try {
            for (String claim : home.claims(job)) {
                String[] words = claim.split(" ");
                if (words.length == 2) cluster.deleteClaim(words[0], words[1]);
            }
        } catch (IOException problem) {
            throw new EngineException("cannot delete the logs of " + job + ": " + problem, problem);
        }
    }

    @Override
    public List<String> notes() {
        return watched.unknowns().stream()
                .map(words -> words.replace("NAME.", settings.cluster() + "."))
                .toList();
    }

    @Override
    public List<String> notes(JobSpec spec) {
        return spec.user()
                .map(
                        user ->
                                List.of(
                                        "the account "
                                                + user
                                                + " is ignored: images know accounts by their"
                                                + " numbers (runAs)"))
                .orElse(List.of());
    }

    @Override
    public List<String> warnings(JobSpec spec) {
        return List.of();
    }

    @Override
    public boolean runsHere() {
        return false;
    }

    @Override
    public Terms terms() {
        return this;
    }

    @Override
    public Optional<Sessions> sessions() {
        return Optional.of(this);
    }

    @Override
    public void onChange(Runnable listener) {
        attempts.onChange(listener);
    }

    @Override
    public void close() {
        if (!attempts.close()) return;
        errands.close();
        keeper.close();
        watched.close();
        client.close();
        home.close();
    }
}
