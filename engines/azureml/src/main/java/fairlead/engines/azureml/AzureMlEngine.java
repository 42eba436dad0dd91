package fairlead.engines.azureml;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.GpuUse;
import fairlead.engine.Observation;
import fairlead.engine.Sessions;
import fairlead.engine.TaskLog;
import fairlead.engine.Terms;
import fairlead.engine.remote.AttemptFiles;
import fairlead.engine.remote.RemoteHome;
import fairlead.engines.azureml.rest.Doc;
import fairlead.engines.azureml.rest.Rest;
import fairlead.engines.azureml.rest.ServiceException;
import fairlead.engines.azureml.rest.Tokens;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/**
 * Attempts as command jobs of an Azure ML workspace, each under the name of its attempt. What was
 * ordered and how tasks ended lies in the home; jobs bear the home's id as a tag. Any thread may
 * call.
 */
public final class AzureMlEngine implements Engine {
    private static final Logger LOG = System.getLogger(AzureMlEngine.class.getName());

    /** As a shell says of a command that it could not start. */
    private static final int NOT_STARTED = 126;

    private static final int SIGTERM = 143;

    /** Why a job waits is asked for this often, for so many jobs in one look. */
    private static final Duration REASON_EVERY = Duration.ofSeconds(60);

    private static final int REASONS_MAX = 8;

    private final AzureMlSettings settings;
    private final RemoteHome home;
    private final Workspace workspace;
    private final Look look;
    private final AzureMlTerms terms;
    private final Submission submission;
    private final String tag;
    private final Map<AttemptId, LiveAttempt> live = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Semaphore reads = new Semaphore(Follower.READS_AT_ONCE);

    /** When we last asked why an attempt waits. */
    private final Map<AttemptId, Long> reasonNanos = new ConcurrentHashMap<>();

    private final Object admission = new Object();
    private volatile boolean isClosed;

    /** Takes up everything of this home, as soon as Azure can be reached. */
    public static AzureMlEngine open(AzureMlSettings settings, Tokens tokens)
            throws EngineException {
        RemoteHome home = null;
        try {
            home = RemoteHome.open(settings.home());
            return new AzureMlEngine(settings, home, new Rest(tokens));
        } catch (IOException problem) {
            closeQuietly(home);
            throw new EngineException(
                    "cannot open the engine of the cluster %s: %s"
                            .formatted(settings.cluster(), problem.getMessage()),
                    problem);
        }
    }

    private static void closeQuietly(RemoteHome home) {
        try {
            if (home != null) home.close();
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "cannot close the home: {0}", problem.getMessage());
        }
    }

    private AzureMlEngine(AzureMlSettings settings, RemoteHome home, Rest rest) throws IOException {
        this.settings = settings;
        this.home = home;
        this.tag = "fairlead-" + home.server();
        this.workspace = new Workspace(settings, rest);
        this.look =
                new Look(
                        settings,
                        workspace,
                        tag,
                        new Look.Reader() {
                            @Override
                            public Set<String> open() {
                                return openNames();
                            }

                            @Override
                            public boolean seen(Map<String, String> words) {
                                return apply(words);
                            }
                        });
        this.terms = new AzureMlTerms(settings, look::gpusPerMachine);
        this.submission = new Submission(settings, workspace, terms, tag);
        for (String text : home.live()) {
            var record = AttemptRecord.parse(text);
            live.put(record.attempt(), new LiveAttempt(record, home.files(record.attempt())));
        }
        look.start();
    }

    private void tell() {
        listeners.forEach(Runnable::run);
    }

    private void requireOpen() throws EngineException {
        if (isClosed)
            throw new EngineException("the engine of " + settings.cluster() + " is closed");
    }

    /** One that was stopped before Azure's answer came may be there all the same. */
    private Set<String> openNames() {
        return live.values().stream()
                .filter(attempt -> attempt.record.isSubmitted() && !attempt.status.isEnd())
                .map(attempt -> attempt.record.name())
                .collect(Collectors.toSet());
    }

    private boolean apply(Map<String, String> words) {
        var known = new HashMap<String, LiveAttempt>();
        live.values().forEach(attempt -> known.put(attempt.record.name(), attempt));
        boolean isNew = false;
        int reasons = 0;
        for (var each : words.entrySet()) {
            LiveAttempt attempt = known.get(each.getKey());
            boolean isEnd = JobStatus.of(each.getValue()).isEnd();
            if (attempt != null && !attempt.allEnded()) {
                if (isClosed) return isNew;
                if (each.getValue().equals("Queued") && reasons < REASONS_MAX && askWhy(attempt))
                    reasons++;
                isNew |= apply(attempt, each.getValue());
            } else if (attempt != null) {
                attempt.status = JobStatus.of(each.getValue());
            }
            boolean isUnwanted = attempt == null || attempt.allEnded() || attempt.stop.isPresent();
            boolean isLeaving = isEnd || each.getValue().equals("CancelRequested");
            if (isUnwanted && !isLeaving && !each.getValue().equals(Look.MISSING))
                cancelAgain(each.getKey());
        }
        return isNew;
    }

    private void cancelAgain(String name) {
        try {
            workspace.cancel(name);
        } catch (ServiceException problem) {
            LOG.log(Level.WARNING, "{0} should not run: {1}", name, problem.getMessage());
        }
    }

    /** Answers whether Azure was asked. */
    private boolean askWhy(LiveAttempt attempt) {
        long now = System.nanoTime();
        Long last = reasonNanos.get(attempt.id);
        if (last != null && now - last < REASON_EVERY.toNanos()) return false;
        reasonNanos.put(attempt.id, now);
        String reason = "";
        try {
            Doc info = workspace.run(attempt.record.name()).at("queueingInfo");
            reason = info.at("message").some().orElse(info.at("code").text());
            String problems = look.capacity().problems();
            if (!problems.isEmpty()) reason += (reason.isEmpty() ? "" : "; ") + problems;
        } catch (ServiceException | EngineException problem) {
            LOG.log(Level.DEBUG, "{0}: {1}", attempt.id, problem.getMessage());
        }
        attempt.reason = reason;
        return true;
    }

    private boolean apply(LiveAttempt attempt, String word) {
        boolean differs;
        attempt.lock.lock();
        try {
            if (attempt.isGone || attempt.allEnded()) return false;
            if (word.equals(Look.MISSING)) {
                settleAll(attempt, Exit.lost("Azure ML no longer knows the job", Instant.now()));
                attempt.status = JobStatus.CANCELED;
            } else {
                take(attempt, word);
            }
            differs = attempt.publish();
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "{0}: {1}", attempt.id, problem.getMessage());
            return false;
        } finally {
            attempt.lock.unlock();
        }
        if (differs) tell();
        return differs;
    }

    private void take(LiveAttempt attempt, String word) throws IOException {
        JobStatus now = JobStatus.of(word);
        if (now == JobStatus.OTHER) return;
        attempt.status = now;
        attempt.trouble =
                switch (word) {
                    case "Preparing" -> "Azure ML builds or fetches the image";
                    case "Queued" ->
                            "waits for machines in Azure ML"
                                    + (attempt.reason.isEmpty() ? "" : ": " + attempt.reason);
                    default -> "";
                };
        if (now == JobStatus.RUNNING && !attempt.record.isRunning()) {
            attempt.record = attempt.record.running();
            home.keep(attempt.id, attempt.record.text());
        }
        boolean hasLog = now == JobStatus.RUNNING || now.isEnd();
        if (hasLog && attempt.follower == null && !isClosed) {
            attempt.follower = new Follower(settings, workspace, attempt, reads, this::tell);
            attempt.follower.start();
        } else if (now.isEnd() && attempt.follower != null) {
            attempt.follower.wake();
        }
    }

    private static void settleAll(LiveAttempt attempt, Exit exit) throws IOException {
        for (LiveTask task : attempt.tasks) {
            if (task.exit == null) attempt.settle(task, exit);
        }
    }

    @Override
    public void launch(Effect.Launch launch) throws EngineException {
        boolean isDone = false;
        while (!isDone) {
            requireOpen();
            var attempt = admit(launch);
            if (attempt.isEmpty()) return;
            isDone = holding(attempt.get(), it -> submit(it, launch));
        }
        look.soon();
        tell();
    }

    /** Empty when it was stopped or forgotten before. */
    private Optional<LiveAttempt> admit(Effect.Launch launch) throws EngineException {
        var id = launch.attempt();
        Capacity capacity = look.capacity();
        synchronized (admission) {
            var there = Optional.ofNullable(live.get(id));
            if (there.isPresent() || home.files(id).isNever()) return there;
            var refusal = terms.refuses(launch.job().spec());
            if (refusal.isPresent()) throw new EngineException(refusal.get());
            try {
                var record = Submission.record(launch, capacity);
                home.keep(id, record.text());
                live.put(id, new LiveAttempt(record, home.files(id)));
            } catch (IOException problem) {
                throw failed(id, problem);
            }
            return Optional.ofNullable(live.get(id));
        }
    }

    private void submit(LiveAttempt attempt, Effect.Launch launch)
            throws EngineException, IOException {
        if (attempt.record.isSubmitted() || attempt.stop.isPresent() || attempt.allEnded()) return;
        Optional<String> refusal;
        try {
            refusal = submission.send(attempt.record, launch);
        } catch (ServiceException problem) {
            attempt.trouble = problem.getMessage();
            attempt.publish();
            throw new EngineException(problem.getMessage(), problem);
        }
        if (refusal.isPresent()) {
            refuse(attempt, refusal.get());
            return;
        }
        attempt.trouble = "";
        attempt.record = attempt.record.submitted();
        home.keep(attempt.id, attempt.record.text());
        attempt.publish();
    }

    /** The attempt has failed before it began; its log says why. */
    private void refuse(LiveAttempt attempt, String why) throws IOException {
        byte[] line = ("fairlead: Azure ML does not take the job: " + why + "\n").getBytes(UTF_8);
        for (LiveTask task : attempt.tasks) {
            if (task.exit != null) continue;
            task.log.append(line, line.length, settings.logBytesMax());
            attempt.settle(task, new Exit(OptionalInt.of(NOT_STARTED), false, why, Instant.now()));
        }
        attempt.publish();
    }

    @Override
    public void stop(AttemptId id, Duration grace) throws EngineException {
        boolean isDone = false;
        while (!isDone) {
            requireOpen();
            LiveAttempt attempt;
            synchronized (admission) {
                attempt = live.get(id);
                if (attempt == null) {
                    setNever(id);
                    return;
                }
            }
            isDone = holding(attempt, it -> stop(it, grace));
        }
        look.soon();
        tell();
    }

    private void setNever(AttemptId id) throws EngineException {
        try {
            home.files(id).setNever();
        } catch (IOException problem) {
            throw failed(id, problem);
        }
    }

    private void stop(LiveAttempt attempt, Duration grace) throws EngineException, IOException {
        if (attempt.allEnded() || attempt.isCancelSent) return;
        if (attempt.stop.isEmpty()) {
            var order = new AttemptFiles.StopOrder(Instant.now(), grace);
            attempt.files.order(order);
            attempt.stop = Optional.of(order);
        }
        cancel(attempt);
        attempt.isCancelSent = true;
        // Nobody but us knows of it, unless an answer was lost: then it is canceled when it is
        // seen.
        if (!attempt.record.isSubmitted()) {
            settleAll(attempt, Exit.stopped(SIGTERM, "stopped before it began", Instant.now()));
            attempt.publish();
        }
    }

    private void cancel(LiveAttempt attempt) throws EngineException {
        try {
            workspace.cancel(attempt.record.name());
        } catch (ServiceException problem) {
            throw new EngineException(problem.getMessage(), problem);
        }
    }

    @Override
    public void forget(AttemptId id) throws EngineException {
        requireOpen();
        LiveAttempt attempt = live.get(id);
        if (attempt == null) return;
        holding(attempt, this::forget);
        tell();
    }

    private void forget(LiveAttempt attempt) throws EngineException, IOException {
        if (!attempt.status.isEnd() && !attempt.isCancelSent) cancel(attempt);
        if (attempt.follower != null) attempt.follower.close();
        attempt.files.setNever();
        home.drop(attempt.id);
        attempt.isGone = true;
        live.remove(attempt.id, attempt);
        reasonNanos.remove(attempt.id);
    }

    private interface Work {
        void on(LiveAttempt attempt) throws EngineException, IOException;
    }

    /** Does the work while nobody else touches the attempt; false when it is no longer live. */
    private boolean holding(LiveAttempt attempt, Work work) throws EngineException {
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
        look.requireAnswer();
        return live.values().stream().map(attempt -> attempt.observation).toList();
    }

    @Override
    public List<Node> nodes() throws EngineException {
        requireOpen();
        Capacity capacity = look.capacity();
        var open = live.values().stream().filter(attempt -> !attempt.allEnded()).toList();
        long waiting = open.stream().filter(attempt -> attempt.status == JobStatus.QUEUED).count();
        return List.of(capacity.node(open, waiting < settings.queued()));
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        LiveAttempt reading = live.get(attempt);
        if (reading != null) reading.readNanos = System.nanoTime();
        return home.log(attempt, task);
    }

    /** Jobs that others have sent to the workspace are counted as busy machines. */
    @Override
    public List<Guest> guests() {
        return List.of();
    }

    /** Azure's metrics are not asked for. */
    @Override
    public List<GpuUse> gpuUse() {
        return List.of();
    }

    @Override
    public void deleteLogs(JobId job) throws EngineException {
        for (LiveAttempt attempt : live.values()) {
            if (!attempt.id.job().equals(job)) continue;
            holding(attempt, AzureMlEngine::requireEnded);
        }
        try {
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
    public Terms terms() {
        return terms;
    }

    @Override
    public Optional<Sessions> sessions() {
        return Optional.empty();
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        if (isClosed) return;
        isClosed = true;
        look.close();
        for (LiveAttempt attempt : live.values()) {
            attempt.lock.lock();
            try {
                if (attempt.follower != null) attempt.follower.close();
            } finally {
                attempt.lock.unlock();
            }
        }
        workspace.close();
        closeQuietly(home);
    }
}
