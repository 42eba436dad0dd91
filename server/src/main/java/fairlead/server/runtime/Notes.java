package fairlead.server.runtime;

import fairlead.cluster.Rules;
import fairlead.control.Tick;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.Sessions;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Setbacks;
import fairlead.server.bodies.TrainingBodies;
import fairlead.wire.Units;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a job's own log says about its fate: who displaced it and why, what that has cost, and that
 * its time limit has ended it. The journal has the same for certain; a note that cannot be written
 * is only logged.
 */
public final class Notes {
    private static final System.Logger LOG = System.getLogger(Notes.class.getName());
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private final Map<String, Engine> engines;
    private final Supplier<Rules> rules;

    /**
     * @param engines by cluster; more may come
     * @param rules as they are now
     */
    public Notes(Map<String, Engine> engines, Supplier<Rules> rules) {
        this.engines = engines;
        this.rules = rules;
    }

    /** What is to be written about one attempt, and to which cluster. */
    record Note(String cluster, Runnable write) {}

    /**
     * The notes that follow from a tick, by attempt; each may be written by any thread, before
     * anything else is done to the attempt.
     */
    Map<AttemptId, Note> of(Tick tick) {
        var notes = new LinkedHashMap<AttemptId, Note>();
        for (int i = 0; i < tick.facts().size(); i++) {
            Job after = tick.after().get(i);
            Event event = tick.facts().get(i).event();
            if (event instanceof Event.PreemptRequested preempted)
                add(notes, preempted.attempt(), after, asked(preempted, after));
            if (event instanceof Event.TimeLimitReached late)
                add(notes, late.attempt(), after, timeLimit(after));
            if (event instanceof Event.AttemptEnded ended)
                last(after).ifPresent(line -> add(notes, ended.attempt(), after, line));
        }
        return notes;
    }

    private void add(Map<AttemptId, Note> notes, AttemptId attempt, Job job, String line) {
        Engine engine = engines.get(job.spec().cluster());
        Runnable write = () -> write(engine, attempt, "fairlead: " + line);
        notes.merge(
                attempt,
                new Note(job.spec().cluster(), write),
                (first, second) ->
                        new Note(
                                first.cluster(),
                                () -> {
                                    first.write().run();
                                    second.write().run();
                                }));
    }

    private static String asked(Event.PreemptRequested preempted, Job after) {
        return (StopOrders.isAsked(after) ? "asked to stop at its next checkpoint" : "preempted")
                + whom(after, preempted.beneficiary())
                + ": "
                + preempted.why();
    }

    private String timeLimit(Job job) {
        Optional<Duration> own = job.spec().timeLimit();
        Optional<Duration> limit = rules.get().timeLimit(job);
        String whose =
                limit.equals(own) ? "" : ", of interactive jobs in project " + job.spec().project();
        return "stopped, because it has run for as long as its time limit allows"
                + limit.map(Units::text).map(text -> " (" + text + whose + ")").orElse("");
    }

    /**
     * A job that only changes its size or place makes room for whom the reason names, if anyone.
     */
    private static String whom(Job job, JobId beneficiary) {
        return beneficiary.equals(job.id()) ? "" : " for " + beneficiary;
    }

    /** What a preemption has cost a job that is queued again because of it. */
    private static Optional<String> receipt(Job job) {
        // Whoever is queued after a failure or a loss has to pause first.
        if (!(job.state() instanceof JobState.Queued queued)
                || queued.notBefore().isAfter(queued.since())) {
            return Optional.empty();
        }
        Setbacks.Receipt last = job.setbacks().last().getLast();
        return Optional.of(
                "stopped at %s%s (%s): %s"
                        .formatted(
                                TIME.format(last.at()),
                                whom(job, last.beneficiary()),
                                last.why(),
                                cost(job, last.lost())));
    }

    /** What a preemption has cost, or what to do about a script that has trained in silence. */
    private static Optional<String> last(Job job) {
        return receipt(job).or(() -> TrainingBodies.silence(job));
    }

    private static String cost(Job job, Duration lost) {
        Duration seconds = Duration.ofSeconds(lost.toSeconds());
        if (!seconds.isZero()) return "lost " + Units.text(seconds) + " of work";
        return job.spec()
                .training()
                .filter(_ -> job.progress().safe().isPresent())
                .map(
                        training ->
                                "lost nothing: it stopped at a checkpoint after epoch %d of %d"
                                        .formatted(job.progress().epochsDone(), training.epochs()))
                .orElse("lost nothing: it had just begun");
    }

    private static void write(Engine engine, AttemptId attempt, String line) {
        try {
            Optional<Sessions> sessions = engine.sessions();
            if (sessions.isPresent()) sessions.get().note(attempt, line);
        } catch (EngineException lost) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the log of {0} does not say what stopped it: {1}",
                    attempt,
                    lost.getMessage());
        }
    }
}
