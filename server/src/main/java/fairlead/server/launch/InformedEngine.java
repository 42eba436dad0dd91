package fairlead.server.launch;

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
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.SpecException;
import fairlead.job.TaskId;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An engine whose tasks know their job's keys, its progress and where the server is. Only the
 * engine sees these: the spec that is stored and shown stays the user's.
 */
public final class InformedEngine implements Engine, Terms {
    /** The loop begins some milliseconds before the server listens. */
    private static final Duration URL_PATIENCE = Duration.ofSeconds(10);

    /** As many variables as a launch may add. */
    private static final int OWN_MAX = 16;

    /** As long as most of them together would make each. */
    private static final String OWN_VALUE = "x".repeat(256);

    private static final String NO_ROOM = "no room is left for Fairlead's own variables: ";

    private final Engine engine;
    private final JobEnvironment environment;
    private final LaunchedJobs launched;
    private final CompletableFuture<String> url;
    private final Optional<String> note;
    private final LaunchStep steps;
    private final Function<JobSpec, Optional<String>> remark;

    /**
     * @param url where its tasks find the server, once it listens
     * @param note what the owners of training jobs should know of the server
     * @param remark what the owner of one job should know
     */
    public InformedEngine(
            Engine engine,
            JobEnvironment environment,
            LaunchedJobs launched,
            CompletableFuture<String> url,
            Optional<String> note,
            LaunchStep steps,
            Function<JobSpec, Optional<String>> remark) {
        this.engine = engine;
        this.environment = environment;
        this.launched = launched;
        this.url = url;
        this.note = note;
        this.steps = steps;
        this.remark = remark;
    }

    @Override
    public void launch(Effect.Launch launch) throws EngineException {
        launched.add(launch.job());
        engine.launch(steps.prepare(informed(launch)));
    }

    private Effect.Launch informed(Effect.Launch launch) throws EngineException {
        JobSpec spec = launch.job().spec();
        try {
            JobSpec fuller = spec.withEnvironment(environment.of(launch, url(), seesFiles(spec)));
            return launch.asking(fuller);
        } catch (SpecException full) {
            throw new EngineException(NO_ROOM + full.getMessage());
        }
    }

    /** A container has the files of its image, and another account may not look into our home. */
    private boolean seesFiles(JobSpec spec) {
        boolean isContained = spec.container().image().isPresent() && engine.terms().runsImages();
        return engine.terms().runsHere() && !isContained && spec.user().isEmpty();
    }

    private String url() throws EngineException {
        try {
            return url.get(URL_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            throw new EngineException("the server does not listen yet");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new EngineException("the server is stopping");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void stop(AttemptId attempt, Duration grace) throws EngineException {
        engine.stop(attempt, grace);
    }

    @Override
    public void forget(AttemptId attempt) throws EngineException {
        engine.forget(attempt);
        steps.clear(attempt);
    }

    @Override
    public List<Observation> observe() throws EngineException {
        return engine.observe();
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        var fuller = new LinkedHashMap<>(spec.environment());
        for (int i = 0; i < OWN_MAX; i++) fuller.put("FAIRLEAD_OWN_" + i, OWN_VALUE);
        try {
            spec.withEnvironment(fuller);
            return steps.refuses(spec).or(() -> engine.terms().refuses(spec));
        } catch (SpecException full) {
            return Optional.of(NO_ROOM + full.getMessage());
        }
    }

    @Override
    public boolean runsImages() {
        return engine.terms().runsImages();
    }

    @Override
    public boolean runsHere() {
        return engine.terms().runsHere();
    }

    @Override
    public List<String> warnings(JobSpec spec) {
        return engine.terms().warnings(spec);
    }

    @Override
    public List<Node> nodes() throws EngineException {
        return engine.nodes();
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        return engine.log(attempt, task);
    }

    @Override
    public Terms terms() {
        return this;
    }

    @Override
    public Optional<Sessions> sessions() {
        return engine.sessions().map(InformedSessions::new);
    }

    /** Whose commands see what their task sees. */
    private final class InformedSessions implements Sessions {
        private final Sessions sessions;

        InformedSessions(Sessions sessions) {
            this.sessions = sessions;
        }

        @Override
        public void note(AttemptId attempt, String line) throws EngineException {
            sessions.note(attempt, line);
        }

        @Override
        public ExecSession exec(ExecRequest request) throws EngineException {
            return sessions.exec(
                    new ExecRequest(
                            request.attempt(),
                            request.task(),
                            steps.entered(request.attempt(), request.spec()),
                            request.command(),
                            request.window()));
        }

        @Override
        public ExecSession attach(AttemptId attempt, TaskId task) throws EngineException {
            return sessions.attach(attempt, task);
        }

        @Override
        public ExecSession forward(AttemptId attempt, TaskId task, int port)
                throws EngineException {
            return sessions.forward(attempt, task, port);
        }
    }

    @Override
    public List<GpuUse> gpuUse() throws EngineException {
        return engine.gpuUse();
    }

    @Override
    public List<Guest> guests() throws EngineException {
        return engine.guests();
    }

    @Override
    public void deleteLogs(JobId job) throws EngineException {
        engine.deleteLogs(job);
        steps.clear(job);
    }

    @Override
    public List<String> notes() {
        return withOurs(engine.terms().notes());
    }

    @Override
    public List<String> notes(JobSpec spec) {
        List<String> notes = engine.terms().notes(spec);
        Stream<String> all =
                spec.training().isPresent() ? withOurs(notes).stream() : notes.stream();
        return Stream.concat(all, remark.apply(spec).stream()).toList();
    }

    private List<String> withOurs(List<String> notes) {
        return Stream.concat(notes.stream(), note.stream()).toList();
    }

    @Override
    public void onChange(Runnable listener) {
        engine.onChange(listener);
    }

    @Override
    public void close() {
        engine.close();
    }
}
