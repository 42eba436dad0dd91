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
import fairlead.engine.remote.AttemptFiles;
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
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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
    private static final Logger LOG = System.getLogger(KubernetesEngine.class.getName());

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
    private final Object admission = new Object();
    private final SeenNodes nodes;
    private volatile boolean isClosed;

    /** Takes up everything of this home, as soon as the cluster can be reached. */
    public static KubernetesEngine open(KubernetesSettings settings) throws EngineException {
        Home home = null;
        try {
            home = Home.open(settings.home());
            return new KubernetesEngine(settings, home, Connection.open(settings));
        } catch (IOException | EngineException | IllegalArgumentException problem) {
            closeQuietly(home);
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

    private static void closeQuietly(Home home) {
        try {
            if (home != null) home.close();
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "cannot close the home: {0}", problem.getMessage());
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
        this.keeper = new Keeper(home, watched, reservations, looker);
        this.sessions = new PodSessions(cluster, keeper, looker);
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

    private void requireOpen() throws EngineException {
        if (isClosed)
            throw new EngineException("the engine of " + settings.cluster() + " is closed");
    }

    @Override
    public void launch(Effect.Launch launch) throws EngineException {
        boolean isDone = false;
        while (!isDone) {
            requireOpen();
            var attempt = admit(launch);
            if (attempt.isEmpty()) return;
            isDone = holding(attempt.get(), live -> launch(live, launch));
        }
        keeper.tell();
    }

    /** Empty when it was stopped or forgotten before. */
    private Optional<LiveAttempt> admit(Effect.Launch launch) throws EngineException {
        var id = launch.attempt();
        synchronized (admission) {
            var there = keeper.attempt(id);
            if (there.isPresent() || home.files(id).isNever()) return there;
            var refusal = new Refusals(settings).of(launch.job().spec());
            if (refusal.isPresent()) throw new EngineException(refusal.get());
            try {
                var record = launcher.record(launch);
                home.keep(record);
                keeper.add(new LiveAttempt(record, home.files(id)));
            } catch (IOException problem) {
                throw failed(id, problem);
            }
            return keeper.attempt(id);
        }
    }

    private void launch(LiveAttempt attempt, Effect.Launch launch)
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
    public void stop(AttemptId id, Duration grace) throws EngineException {
        boolean isDone = false;
        while (!isDone) {
            requireOpen();
            Optional<LiveAttempt> attempt;
            synchronized (admission) {
                attempt = keeper.attempt(id);
                if (attempt.isEmpty()) {
                    setNever(id);
                    return;
                }
            }
            attempt.get().isStopWanted = true;
            isDone = holding(attempt.get(), live -> stop(live, grace));
        }
        keeper.tell();
    }

    private void setNever(AttemptId id) throws EngineException {
        try {
            home.files(id).setNever();
        } catch (IOException problem) {
            throw failed(id, problem);
        }
    }

    private void stop(LiveAttempt attempt, Duration grace) throws EngineException, IOException {
        if (attempt.allEnded()) return;
        if (attempt.stop.isEmpty()) {
            var order = new AttemptFiles.StopOrder(Instant.now(), grace);
            attempt.files.order(order);
            attempt.stop = Optional.of(order);
        }
        looker.stopAll(attempt);
        looker.look(attempt);
    }

    @Override
    public void forget(AttemptId id) throws EngineException {
        requireOpen();
        var attempt = keeper.attempt(id);
        if (attempt.isEmpty()) return;
        // Which pods there are is not known while no watch works.
        watched.requireSync();
        attempt.get().isStopWanted = true;
        holding(attempt.get(), this::forget);
        keeper.tell();
    }

    private void forget(LiveAttempt attempt) throws EngineException, IOException {
        attempt.stopCopying();
        for (LiveTask task : attempt.tasks) {
            var pod = looker.pod(attempt, task);
            if (pod.isPresent()) looker.release(pod.get());
        }
        attempt.files.setNever();
        home.drop(attempt.id);
        attempt.isGone = true;
        keeper.remove(attempt);
    }

    private interface Work {
        void on(LiveAttempt attempt) throws EngineException, IOException;
    }

    /** Does the work while nobody else touches the attempt; false when it is no longer live. */
    private static boolean holding(LiveAttempt attempt, Work work) throws EngineException {
        attempt.lock.lock();
        try {
            if (attempt.isGone) return false;
            work.on(attempt);
            return true;
        } catch (IOException problem) {
            throw failed(attempt.id, problem);
        } finally {
            attempt.lock.unlock();
        }
    }

    private static EngineException failed(AttemptId id, IOException problem) {
        return new EngineException(id + ": " + problem.getMessage(), problem);
    }

    @Override
    public List<Observation> observe() throws EngineException {
        requireOpen();
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
        requireOpen();
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
        requireOpen();
        watched.requireSync();
        return Guests.of(watched.pods(), home.server());
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        return home.log(attempt, task);
    }

    @Override
    public void note(AttemptId id, String line) throws EngineException {
        var attempt = keeper.attempt(id);
        if (attempt.isEmpty()) return;
        holding(
                attempt.get(),
                live -> {
                    for (LiveTask task : live.tasks) {
                        if (task.isStarted) looker.note(live, task, line);
                    }
                });
    }

    @Override
    public ExecSession exec(ExecRequest request) throws EngineException {
        requireOpen();
        return sessions.exec(request);
    }

    @Override
    public ExecSession attach(AttemptId attempt, TaskId task) throws EngineException {
        requireOpen();
        return sessions.attach(attempt, task);
    }

    @Override
    public ExecSession forward(AttemptId attempt, TaskId task, int port) throws EngineException {
        requireOpen();
        return sessions.forward(attempt, task, port);
    }

    @Override
    public void deleteLogs(JobId job) throws EngineException {
        for (LiveAttempt attempt : keeper.attempts()) {
            if (!attempt.id.job().equals(job)) continue;
            holding(attempt, KubernetesEngine::requireEnded);
        }
        try {
            for (String claim : home.claims(job)) {
                String[] words = claim.split(" ");
                if (words.length == 2) cluster.deleteClaim(words[0], words[1]);
            }
            home.delete(job);
        } catch (IOException problem) {
            throw new EngineException("cannot delete the logs of " + job + ": " + problem, problem);
        }
    }

    private static void requireEnded(LiveAttempt attempt) throws EngineException {
        if (!attempt.allEnded())
            throw new EngineException(attempt.id + " still runs, so its logs stay");
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
        keeper.onChange(listener);
    }

    @Override
    public void close() {
        if (isClosed) return;
        isClosed = true;
        errands.close();
        keeper.close();
        watched.close();
        client.close();
        closeQuietly(home);
    }
}
