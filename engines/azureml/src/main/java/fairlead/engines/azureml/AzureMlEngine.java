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
import fairlead.engine.remote.RemoteAttempts;
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
    private final RemoteAttempts<LiveAttempt> attempts;
    private final Semaphore reads = new Semaphore(Follower.READS_AT_ONCE);

    /** Takes up everything of this home, as soon as Azure can be reached. */
    public static AzureMlEngine open(AzureMlSettings settings, Tokens tokens)
            throws EngineException {
        RemoteHome home = null;
        try {
            home = RemoteHome.open(settings.home());
            return new AzureMlEngine(settings, home, new Rest(tokens));
        } catch (IOException problem) {
            if (home != null) home.close();
            throw new EngineException(
                    "cannot open the engine of the cluster %s: %s"
                            .formatted(settings.cluster(), problem.getMessage()),
                    problem);
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
        this.attempts =
                new RemoteAttempts<>(
                        settings.cluster(), home, terms, IOException::getMessage, new JobOrders());
        for (String text : home.live()) {
            var record = AttemptRecord.parse(text);
            attempts.add(new LiveAttempt(record, home.files(record.attempt())));
        }
        look.start();
    }

    /** One that was stopped before Azure's answer came may be there all the same. */
    private Set<String> openNames() {
        return attempts.all().stream()
                .filter(attempt -> attempt.record.isSubmitted() && !attempt.status.isEnd())
                .map(attempt -> attempt.record.name())
                .collect(Collectors.toSet());
    }

    private boolean apply(Map<String, String> words) {
        var known = new HashMap<String, LiveAttempt>();
        attempts.all().forEach(attempt -> known.put(attempt.record.name(), attempt));
        boolean isNew = false;
        int reasons = 0;
        for (var each : words.entrySet()) {
            LiveAttempt attempt = known.get(each.getKey());
            boolean isEnd = JobStatus.of(each.getValue()).isEnd();
            if (attempt != null && !attempt.allEnded()) {
                if (attempts.isClosed()) return isNew;
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
        Long last = attempt.reasonNanos;
        if (last != null && now - last < REASON_EVERY.toNanos()) return false;
        attempt.reasonNanos = now;
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
            if (attempt.isGone() || attempt.allEnded()) return false;
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
        if (differs) attempts.tell();
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
        if (hasLog && attempt.follower == null && !attempts.isClosed()) {
            attempt.follower =
                    new Follower(settings, workspace, attempt, reads, attempts::tell, look::soon);
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
        attempts.requireOpen();
        // The first answer may be long in coming: nobody else should wait for it meanwhile.
        look.capacity();
        attempts.launch(launch);
        look.soon();
    }

    @Override
    public void stop(AttemptId id, Duration grace) throws EngineException {
        attempts.stop(id, grace);
        look.soon();
    }

    @Override
    public void forget(AttemptId id) throws EngineException {
        attempts.forget(id);
    }

    private final class JobOrders implements RemoteAttempts.Service<LiveAttempt> {
        @Override
        public void admit(Effect.Launch launch) throws EngineException, IOException {
            var record = Submission.record(launch, look.capacity());
            home.keep(launch.attempt(), record.text());
            attempts.add(new LiveAttempt(record, home.files(launch.attempt())));
        }

        @Override
        public void launch(LiveAttempt attempt, Effect.Launch launch)
                throws EngineException, IOException {
            if (attempt.record.isSubmitted() || attempt.stop.isPresent() || attempt.allEnded())
                return;
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

        @Override
        public void stop(LiveAttempt attempt) throws EngineException, IOException {
            if (attempt.isCancelSent) return;
            cancel(attempt);
            attempt.isCancelSent = true;
            // Nobody but us knows of it, unless an answer was lost: then it is canceled when it is
            // seen.
            if (!attempt.record.isSubmitted()) {
                settleAll(attempt, Exit.stopped(SIGTERM, "stopped before it began", Instant.now()));
                attempt.publish();
            }
        }

        @Override
        public void forget(LiveAttempt attempt) throws EngineException {
            if (!attempt.status.isEnd() && !attempt.isCancelSent) cancel(attempt);
            if (attempt.follower != null) attempt.follower.close();
        }
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

    private void cancel(LiveAttempt attempt) throws EngineException {
        try {
            workspace.cancel(attempt.record.name());
        } catch (ServiceException problem) {
            throw new EngineException(problem.getMessage(), problem);
        }
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
        Capacity capacity = look.capacity();
        var open = attempts.all().stream().filter(attempt -> !attempt.allEnded()).toList();
        long waiting = open.stream().filter(attempt -> attempt.status == JobStatus.QUEUED).count();
        return List.of(capacity.node(open, waiting < settings.queued()));
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        attempts.find(attempt).ifPresent(reading -> reading.readNanos = System.nanoTime());
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
        attempts.deleteLogs(job);
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
        attempts.onChange(listener);
    }

    @Override
    public void close() {
        if (!attempts.close()) return;
        look.close();
        attempts.release(
                attempt -> {
                    if (attempt.follower != null) attempt.follower.close();
                });
        workspace.close();
        home.close();
    }
}
