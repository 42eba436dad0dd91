package fairlead.engines.yarn;

import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.GpuUse;
import fairlead.engine.Observation;
import fairlead.engine.Sessions;
import fairlead.engine.TaskEnvironment;
import fairlead.engine.TaskLog;
import fairlead.engine.Terms;
import fairlead.engine.remote.RemoteAttempts;
import fairlead.engine.remote.RemoteHome;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.Records;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tasks as containers of a YARN cluster: one application for each attempt, with a master of ours
 * that outlives this object. What was ordered and how tasks ended lies in the home; applications
 * bear the home's id as a tag. Any thread may call.
 */
public final class YarnEngine implements Engine {
    private static final Logger LOG = System.getLogger(YarnEngine.class.getName());

    /** Those that Linux gives to whoever asks for any begin above. */
    private static final int PORT_FIRST = 20_000;

    private static final int PORT_COUNT = 12_000;

    private static final SecureRandom DICE = new SecureRandom();

    private final YarnSettings settings;
    private final RemoteHome home;
    private final Hadoop hadoop;
    private final Staging staging;
    private final Submission submission;
    private final ClusterLook look;
    private final boolean hasPorts;
    private final RemoteAttempts<LiveAttempt> attempts;
    private final Map<AttemptId, Watch> watches = new ConcurrentHashMap<>();

    /** Applications that are forgotten and leave by themselves. */
    private final Set<String> leaving = ConcurrentHashMap.newKeySet();

    private final TaskSessions sessions;
    private final Terms terms;

    /** Takes up everything of this home, as soon as the cluster can be reached. */
    public static YarnEngine open(YarnSettings settings) throws EngineException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Hadoop finds its settings and its classes by the thread's loader, which may be another.
        thread.setContextClassLoader(YarnEngine.class.getClassLoader());
        RemoteHome home = null;
        try {
            home = RemoteHome.open(settings.home());
            return new YarnEngine(settings, home, Hadoop.open(settings));
        } catch (IOException | EngineException problem) {
            if (home != null) home.close();
            throw problem instanceof EngineException told
                    ? told
                    : new EngineException(
                            "cannot open the engine of the cluster %s: %s"
                                    .formatted(settings.cluster(), problem.getMessage()),
                            problem);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private YarnEngine(YarnSettings settings, RemoteHome home, Hadoop hadoop) throws IOException {
        this.settings = settings;
        this.home = home;
        this.hadoop = hadoop;
        String tag = "fairlead-" + home.server();
        this.staging = new Staging(hadoop.files(), settings.staging(), home.server());
        this.submission = new Submission(settings, hadoop, staging, tag, this::gpusOf);
        this.hasPorts =
                hadoop.configuration()
                        .getBoolean(
                                YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME,
                                YarnConfiguration.DEFAULT_RM_SCHEDULER_USE_PORT_FOR_NODE_NAME);
        this.terms = new YarnTerms(settings);
        this.attempts =
                new RemoteAttempts<>(
                        settings.cluster(), home, terms, Hadoop::deepest, new ApplicationOrders());
        this.sessions = new TaskSessions(settings, attempts, watches);
        this.look = new ClusterLook(hadoop, tag, settings.poll(), this::seen, attempts::tell);
        for (String text : home.live()) {
            var record = AttemptRecord.parse(text);
            var attempt = new LiveAttempt(record, home.files(record.attempt()));
            attempt.publish();
            add(attempt);
        }
        look.start();
        Thread.startVirtualThread(this::sweep);
    }

    /** Removes what masters have left that were killed while nobody looked. */
    private void sweep() {
        try {
            for (String application : staging.applications()) {
                var id = ApplicationId.fromString(application);
                boolean isKnown =
                        attempts.all().stream()
                                .anyMatch(it -> it.record.application().equals(application));
                if (attempts.isClosed() || isKnown) continue;
                var report = hadoop.report(id);
                if (report.isEmpty()
                        || Hadoop.FINAL.contains(report.get().getYarnApplicationState()))
                    staging.remove(application);
            }
        } catch (IOException | EngineException | IllegalArgumentException problem) {
            LOG.log(Level.DEBUG, "cannot tidy up: {0}", problem.getMessage());
        }
    }

    private void add(LiveAttempt attempt) {
        var watch = new Watch(settings, home, hadoop, staging, attempt, attempts::tell);
        watches.put(attempt.id, watch);
        attempts.add(attempt);
        watch.start();
    }

    /**
     * Reports of all that live; one of ours that is not among them has ended or was never there.
     */
    private void seen(Map<String, ApplicationReport> byId) {
        var known = new HashSet<String>();
        for (LiveAttempt attempt : attempts.all()) {
            String application = attempt.record.application();
            known.add(application);
            if (!attempt.record.isSubmitted()) continue;
            ApplicationReport last = attempt.report;
            if (last != null && Hadoop.FINAL.contains(last.getYarnApplicationState())) continue;
            ApplicationReport now = byId.get(application);
            if (now == null) now = ended(attempt);
            if (now == null) continue;
            attempt.report = now;
            Watch watch = watches.get(attempt.id);
            if (watch != null && differs(last, now)) watch.wake();
        }
        known.addAll(leaving);
        for (var each : byId.entrySet()) {
            // A record is written before YARN knows of it, so nobody owns this one.
            if (!known.contains(each.getKey())) abandon(each.getValue());
        }
        leaving.retainAll(byId.keySet());
    }

    private static boolean differs(ApplicationReport last, ApplicationReport now) {
        return last == null
                || last.getYarnApplicationState() != now.getYarnApplicationState()
                || last.getRpcPort() != now.getRpcPort()
                || !Objects.equals(last.getHost(), now.getHost());
    }

    /** Null when it cannot be had now. */
    private ApplicationReport ended(LiveAttempt attempt) {
        try {
            return hadoop.report(attempt.application())
                    .orElseGet(() -> unknown(attempt.application()));
        } catch (EngineException problem) {
            LOG.log(Level.DEBUG, "{0}: {1}", attempt.id, problem.getMessage());
            return null;
        }
    }

    /** One that YARN has accepted and forgotten, as after a restart without recovery. */
    private static ApplicationReport unknown(ApplicationId id) {
        var report = Records.newRecord(ApplicationReport.class);
        report.setApplicationId(id);
        report.setYarnApplicationState(YarnApplicationState.KILLED);
        report.setDiagnostics("YARN no longer knows it");
        return report;
    }

    private void abandon(ApplicationReport report) {
        try {
            LOG.log(
                    Level.WARNING,
                    "{0} bears our mark and nobody knows it: it is killed",
                    report.getApplicationId());
            hadoop.kill(report.getApplicationId(), "Fairlead does not know it");
        } catch (EngineException problem) {
            LOG.log(Level.WARNING, problem.getMessage());
        }
    }

    @Override
    public void launch(Effect.Launch launch) throws EngineException {
        attempts.launch(launch);
        look.soon();
    }

    @Override
    public void stop(AttemptId id, Duration grace) throws EngineException {
        attempts.stop(id, grace);
    }

    @Override
    public void forget(AttemptId id) throws EngineException {
        attempts.forget(id).ifPresent(attempt -> watches.remove(attempt.id).close());
    }

    private final class ApplicationOrders implements RemoteAttempts.Service<LiveAttempt> {
        @Override
        public void admit(Effect.Launch launch) throws IOException {
            var record = AttemptRecord.of(launch, ports(TaskEnvironment.portsFor(launch)));
            home.keep(launch.attempt(), record.text());
            add(new LiveAttempt(record, home.files(launch.attempt())));
        }

        @Override
        public void launch(LiveAttempt attempt, Effect.Launch launch)
                throws EngineException, IOException {
            if (attempt.record.isSubmitted() || attempt.stop.isPresent()) return;
            try {
                if (attempt.record.application().isEmpty()) {
                    var id = hadoop.newApplication().getNewApplicationResponse().getApplicationId();
                    attempt.record = attempt.record.as(id.toString());
                    home.keep(attempt.id, attempt.record.text());
                }
                submission.submit(attempt.record, launch);
                attempt.record = attempt.record.submitted();
                home.keep(attempt.id, attempt.record.text());
                attempt.trouble = "";
            } catch (EngineException | IOException problem) {
                attempt.trouble = problem.getMessage();
                throw problem;
            } finally {
                attempt.publish();
            }
        }

        @Override
        public void stop(LiveAttempt attempt) throws IOException {
            if (!attempt.record.isSubmitted()) settleUnsubmitted(attempt);
            Thread.startVirtualThread(watches.get(attempt.id)::stop);
        }

        @Override
        public void forget(LiveAttempt attempt) throws EngineException, IOException {
            attempt.stopFollowing();
            if (attempt.record.application().isEmpty()) return;
            if (attempt.isMasterFree) leaving.add(attempt.record.application());
            else hadoop.kill(attempt.application(), "forgotten by Fairlead");
            staging.remove(attempt.record.application());
        }
    }

    /** Any that no live attempt of ours has: which ones are free on a node, only the node knows. */
    private List<Integer> ports(int count) {
        Set<Integer> taken = new HashSet<>();
        attempts.all().forEach(attempt -> taken.addAll(attempt.record.ports()));
        var ports = new ArrayList<Integer>();
        for (int tries = 0; ports.size() < count; tries++) {
            int port = PORT_FIRST + DICE.nextInt(PORT_COUNT);
            // With all of them taken, a second time is better than never.
            if (taken.add(port) || tries > PORT_COUNT) ports.add(port);
        }
        return ports;
    }

    /** Nobody but us knows of it, unless an answer of YARN was lost: then it is killed later. */
    private void settleUnsubmitted(LiveAttempt attempt) throws IOException {
        for (LiveTask task : attempt.tasks) {
            if (task.exit == null)
                attempt.settle(
                        task,
                        Exit.stopped(Watch.SIGTERM, "stopped before it began", Instant.now()));
        }
        attempt.publish();
    }

    @Override
    public List<Observation> observe() throws EngineException {
        attempts.requireOpen();
        look.requireAnswer();
        return attempts.observations();
    }

    @Override
    public List<Node> nodes() throws EngineException {
        attempts.requireOpen();
        return new Nodes(hasPorts, Submission.master(), attempts.all()).of(look.nodes());
    }

    private List<Gpu> gpusOf(String node) {
        try {
            return nodes().stream()
                    .filter(each -> each.name().equals(node))
                    .findFirst()
                    .map(Node::gpus)
                    .orElse(List.of());
        } catch (EngineException _) {
            return List.of();
        }
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        return home.log(attempt, task);
    }

    @Override
    public List<Guest> guests() {
        return List.of();
    }

    @Override
    public void deleteLogs(JobId job) throws EngineException {
        attempts.deleteLogs(job);
    }

    /** YARN reports who holds GPUs, not what they do. */
    @Override
    public List<GpuUse> gpuUse() {
        return List.of();
    }

    @Override
    public Terms terms() {
        return terms;
    }

    @Override
    public Optional<Sessions> sessions() {
        return Optional.of(sessions);
    }

    @Override
    public void onChange(Runnable listener) {
        attempts.onChange(listener);
    }

    @Override
    public void close() {
        if (!attempts.close()) return;
        look.close();
        watches.values().forEach(Watch::close);
        attempts.release(LiveAttempt::stopFollowing);
        hadoop.close();
        home.close();
    }
}
