package fairlead.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job as it stands: what was asked, by whom, and how far it has come.
 *
 * @param spec one object for all jobs of an array, as it was submitted; see {@link #ownSpec}
 * @param request the client's name for the request that made it; the same request never makes it
 *     twice
 * @param array the array it belongs to, if any
 * @param priority among the owner's jobs; at first the spec's, then as people change it
 * @param attempts how many were placed so far
 * @param failures attempts that failed by their own fault; these use up retries
 * @param losses attempts lost in a row through no fault of the job
 * @param started when the current or last attempt began to run
 * @param prediction when it was told that it would start, if it had to wait
 * @param served how long its attempts ran before this one, each until it ended or was told to stop
 * @param setbacks what preemptions have cost it
 * @param progress how far a training job has come
 * @param tries how often its retry policy has sent it back; a job without one has none
 */
public record Job(
        JobId id,
        JobSpec spec,
        String owner,
        Instant submitted,
        Optional<String> request,
        Optional<ArrayPlace> array,
        int priority,
        JobState state,
        int attempts,
        int failures,
        int losses,
        Optional<Instant> started,
        Optional<Prediction> prediction,
        Duration served,
        Setbacks setbacks,
        Progress progress,
        RetryPolicy.Tries tries) {
    /**
     * An epoch with a slow validation is still one epoch; three of them are a script that hangs.
     */
    private static final int PATIENCE_EPOCHS = 3;

    private static final Duration PATIENCE_MIN = Duration.ofMinutes(10);
    private static final Duration PATIENCE_MAX = Duration.ofHours(6);
    private static final Duration PATIENCE_UNMEASURED = Duration.ofHours(3);

    public Job {
        // The one place where the size of a training job follows from its state.
        spec =
                switch (state) {
                    case JobState.Queued _ -> spec.sizedAsAsked();
                    case JobState.Active active -> spec.sizedTo(active.attempt().placement());
                    case JobState.Finished over ->
                            over.last().isEmpty()
                                    ? spec.sizedAsAsked()
                                    : spec.sizedTo(over.last().get().placement());
                };
    }

    /** Where a job stands in an array: the array's id, shared by its jobs, and this one's index. */
    public record ArrayPlace(String array, int index) {}

    public static Job submitted(
            JobId id,
            JobSpec spec,
            String owner,
            Instant now,
            Optional<String> request,
            Optional<ArrayPlace> array) {
        return new Job(
                id,
                spec,
                owner,
                now,
                request,
                array,
                spec.priority(),
                spec.after().isEmpty()
                        ? new JobState.Queued(now, Instant.EPOCH)
                        : JobState.Queued.held(now),
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                Setbacks.NONE,
                Progress.NONE,
                RetryPolicy.Tries.NONE);
    }

    /**
     * What it runs, with its index where the array's spec says {@code {i}}. Made at each call:
     * whoever places jobs reads {@link #spec}, which asks for the same.
     */
    public JobSpec ownSpec() {
        return array.map(place -> spec.at(place.index())).orElse(spec);
    }

    /** The command of its first role, as it runs. */
    public List<String> command() {
        List<String> command = spec.roles().getFirst().command();
        return array.map(place -> JobSpec.at(command, place.index())).orElse(command);
    }

    /** What tells its speed, as {@link JobSpec#script} has it for the spec that it runs. */
    public String script() {
        String script = spec.script();
        return array.map(place -> JobSpec.at(script, place.index())).orElse(script);
    }

    /** The current or the last one; a job that waits has none. */
    public Optional<Attempt> attempt() {
        return switch (state) {
            case JobState.Queued _ -> Optional.empty();
            case JobState.Active active -> Optional.of(active.attempt());
            case JobState.Finished over -> over.last();
        };
    }

    /** Not in the queue yet: it waits for other jobs. */
    public boolean isHeld() {
        return state instanceof JobState.Queued queued && queued.isHeld();
    }

    public boolean isFinished() {
        return state instanceof JobState.Finished;
    }

    /** How long it has run until now, all attempts together. */
    public Duration served(Instant now) {
        return state instanceof JobState.Running running
                ? served.plus(since(running, now))
                : served;
    }

    /**
     * Since when it counts as waiting: work that a preemption has thrown away counts as time
     * waited.
     */
    public Instant standing() {
        return setbacks.lost().isZero() ? submitted : submitted.minus(setbacks.lost());
    }

    /** Whether its script can be asked to stop once its work is safe. */
    public boolean stopsAtCheckpoint() {
        return spec.training().isPresent()
                && state instanceof JobState.Active alive
                && progress.hasReported(alive.attempt().id());
    }

    /** How long it may take to reach a checkpoint once it was asked to. */
    public Duration patience() {
        if (!(state instanceof JobState.Active alive)) return PATIENCE_UNMEASURED;
        return progress.profile()
                .speed(Setup.alone(alive.attempt().placement()))
                .map(speed -> Duration.ofSeconds((long) (speed.epochSeconds() * PATIENCE_EPOCHS)))
                .map(time -> time.compareTo(PATIENCE_MIN) < 0 ? PATIENCE_MIN : time)
                .map(time -> time.compareTo(PATIENCE_MAX) > 0 ? PATIENCE_MAX : time)
                .orElse(PATIENCE_UNMEASURED);
    }

    /** What a stop now would throw away: the work since the last checkpoint, or since the start. */
    public Duration atRisk(Instant now) {
        if (started.isEmpty()) return Duration.ZERO;
        Instant from = progress.safe().filter(started.get()::isBefore).orElse(started.get());
        return now.isAfter(from) ? Duration.between(from, now) : Duration.ZERO;
    }

    /** The same job if it had asked for something else. */
    public Job asking(JobSpec other) {
        var edit = new Edit(this);
        edit.spec = other;
        return edit.job();
    }

    /**
     * A part of the job's GPUs as if it were a job by itself, for a look at who could give them.
     */
    public Job portion(JobId name, JobSpec asked, JobState held) {
        var edit = new Edit(this);
        edit.id = name;
        edit.spec = asked;
        edit.state = held;
        return edit.job();
    }

    /** The job after it has left this state at that time. */
    Job after(JobState.Running running, Instant at) {
        var edit = new Edit(this);
        edit.served = served.plus(since(running, at));
        return edit.job();
    }

    /** Never negative: the clock may have been set back while the server was down. */
    private static Duration since(JobState.Running running, Instant now) {
        return now.isAfter(running.since())
                ? Duration.between(running.since(), now)
                : Duration.ZERO;
    }

    Job with(JobState next) {
        var edit = new Edit(this);
        edit.state = next;
        return edit.job();
    }

    Job counting(int attempts, int failures, int losses) {
        var edit = new Edit(this);
        edit.attempts = attempts;
        edit.failures = failures;
        edit.losses = losses;
        return edit.job();
    }

    Job startedAt(Optional<Instant> start) {
        var edit = new Edit(this);
        edit.started = start;
        return edit.job();
    }

    Job withPriority(int changed) {
        var edit = new Edit(this);
        edit.priority = changed;
        return edit.job();
    }

    Job predicted(Optional<Prediction> changed) {
        var edit = new Edit(this);
        edit.prediction = changed;
        return edit.job();
    }

    Job with(Setbacks more) {
        var edit = new Edit(this);
        edit.setbacks = more;
        return edit.job();
    }

    Job with(Progress further) {
        var edit = new Edit(this);
        edit.progress = further;
        return edit.job();
    }

    Job with(RetryPolicy.Tries more) {
        var edit = new Edit(this);
        edit.tries = more;
        return edit.job();
    }

    /** A job of which some parts are about to change. */
    private static final class Edit {
        final Job old;
        JobId id;
        JobSpec spec;
        int priority;
        JobState state;
        int attempts;
        int failures;
        int losses;
        Optional<Instant> started;
        Optional<Prediction> prediction;
        Duration served;
        Setbacks setbacks;
        Progress progress;
        RetryPolicy.Tries tries;

        Edit(Job old) {
            this.old = old;
            id = old.id;
            spec = old.spec;
            priority = old.priority;
            state = old.state;
            attempts = old.attempts;
            failures = old.failures;
            losses = old.losses;
            started = old.started;
            prediction = old.prediction;
            served = old.served;
            setbacks = old.setbacks;
            progress = old.progress;
            tries = old.tries;
        }

        Job job() {
            return new Job(
                    id,
                    spec,
                    old.owner,
                    old.submitted,
                    old.request,
                    old.array,
                    priority,
                    state,
                    attempts,
                    failures,
                    losses,
                    started,
                    prediction,
                    served,
                    setbacks,
                    progress,
                    tries);
        }
    }
}
