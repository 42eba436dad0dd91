package fairlead.server.http;

import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.WhyBody;
import fairlead.control.Interpreter;
import fairlead.engine.Engine;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.journal.Fact;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.server.wire.Bodies;
import fairlead.server.wire.Specs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What can be read about one job. */
final class JobRoutes {
    /** The journal moves on between two reads at most once for each tick. */
    private static final int READS_MAX = 10;

    private final JobFinder finder;
    private final Journal journal;
    private final Explanations explanations;
    private final Interpreter interpreter;
    private final Map<String, Engine> engines;

    JobRoutes(
            JobFinder finder,
            Journal journal,
            Explanations explanations,
            Interpreter interpreter,
            Map<String, Engine> engines) {
        this.finder = finder;
        this.journal = journal;
        this.explanations = explanations;
        this.interpreter = interpreter;
        this.engines = engines;
    }

    /** A job and everything that happened to it up to just that state. */
    record Past(Job job, List<Fact> history) {
        List<EventBody> events() {
            return Bodies.events(job, history);
        }

        JobBody body() {
            return Bodies.job(job, OptionalInt.empty());
        }
    }

    void detail(Call call) throws JournalException {
        Job found = finder.find(call.id());
        Past past = past(found.id()).orElse(new Past(found, List.of()));
        Job job = past.job();
        Optional<Explanation> explanation = explanation(job);
        call.send(
                200,
                new JobDetail(
                        Bodies.job(job, place(explanation)),
                        Specs.write(job.spec()),
                        Bodies.tasks(job),
                        past.events(),
                        obstacles(job, explanation),
                        notes(job)));
    }

    /** A finished job may be of a cluster that is no longer configured. */
    private List<String> notes(Job job) {
        Engine engine = engines.get(job.spec().cluster());
        return engine == null ? List.of() : engine.notes();
    }

    void spec(Call call) throws JournalException {
        call.send(200, Specs.write(finder.find(call.id()).spec()));
    }

    void why(Call call) throws JournalException {
        Job job = finder.find(call.id());
        Optional<Explanation> explanation = explanation(job);
        OptionalInt place = place(explanation);
        List<String> words =
                switch (job.state()) {
                    case JobState.Queued _ -> obstacles(job, explanation);
                    case JobState.Starting starting ->
                            List.of(
                                    interpreter
                                            .trouble(starting.attempt().id())
                                            .orElse("it is being started"));
                    case JobState.Running running -> List.of("it runs since " + running.since());
                    case JobState.Stopping _ -> List.of("it is being stopped: " + reason(job));
                    case JobState.Finished over ->
                            over.outcome().reason().isEmpty()
                                    ? List.of()
                                    : List.of("it has ended: " + reason(job));
                };
        call.send(
                200,
                new WhyBody(
                        job.id().text(),
                        job.state().word(),
                        place.isPresent() ? place.getAsInt() : null,
                        words));
    }

    private static String reason(Job job) {
        JobBody body = Bodies.job(job, OptionalInt.empty());
        return body.reason() == null ? body.state() : body.reason();
    }

    /** Empty when the job has been deleted. */
    Optional<Past> past(JobId id) throws JournalException {
        List<Fact> history = journal.history(id);
        for (int reads = 1; ; reads++) {
            Optional<Job> job = journal.find(id);
            if (job.isEmpty()) return Optional.empty();
            List<Fact> again = journal.history(id);
            // The two belong together only when nothing was written between the three reads.
            if (again.size() == history.size() || reads == READS_MAX)
                return Optional.of(new Past(job.get(), history));
            history = again;
        }
    }

    private Optional<Explanation> explanation(Job job) {
        return job.state() instanceof JobState.Queued ? explanations.of(job) : Optional.empty();
    }

    private static OptionalInt place(Optional<Explanation> explanation) {
        return explanation.isPresent()
                ? OptionalInt.of(explanation.get().place())
                : OptionalInt.empty();
    }

    private List<String> obstacles(Job job, Optional<Explanation> explanation) {
        return switch (job.state()) {
            case JobState.Queued _ ->
                    explanation.isEmpty() || explanation.get().obstacles().isEmpty()
                            ? List.of("it is about to start")
                            : explanation.get().obstacles().stream().map(Obstacle::words).toList();
            case JobState.Starting starting ->
                    interpreter.trouble(starting.attempt().id()).map(List::of).orElse(List.of());
            case JobState.Running _, JobState.Stopping _, JobState.Finished _ -> List.of();
        };
    }
}
