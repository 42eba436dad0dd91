package fairlead.server.routes;

import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.control.Controller;
import fairlead.engine.Engine;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Fact;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.bodies.Bodies;
import fairlead.server.bodies.JobBodies;
import fairlead.server.bodies.TrainingBodies;
import fairlead.server.http.Call;
import fairlead.server.runtime.Explanations;
import fairlead.wire.Specs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be read about one job. */
final class JobRoutes {
    /** The journal moves on between two reads at most once for each tick. */
    private static final int READS_MAX = 10;

    /** A screen of them; the profile has what they add up to. */
    static final int REPORTS_SHOWN_MAX = 50;

    private final JobFinder finder;
    private final Controller controller;
    private final Journal journal;
    private final Explanations explanations;
    private final WhyRoute why;
    private final Map<String, Engine> engines;
    private final JobBodies bodies;

    JobRoutes(
            JobFinder finder,
            Controller controller,
            Journal journal,
            Explanations explanations,
            WhyRoute why,
            Map<String, Engine> engines,
            JobBodies bodies) {
        this.finder = finder;
        this.controller = controller;
        this.journal = journal;
        this.explanations = explanations;
        this.why = why;
        this.engines = engines;
        this.bodies = bodies;
    }

    /** A job and everything that happened to it up to just that state. */
    record Past(Job job, List<Fact> history) {
        List<EventBody> events() {
            return Bodies.events(job, history);
        }

        long reports() {
            return history.stream().filter(fact -> fact.event() instanceof Event.Report).count();
        }

        /** The same without the older reports: a long training has hundreds of epochs. */
        List<EventBody> latestEvents() {
            List<EventBody> all = events();
            var latest = new ArrayList<EventBody>();
            int reports = 0;
            for (int i = all.size() - 1; i >= 0; i--) {
                boolean isReport = history.get(i).event() instanceof Event.Report;
                if (isReport && ++reports > REPORTS_SHOWN_MAX) continue;
                latest.add(all.get(i));
            }
            return latest.reversed();
        }
    }

    void detail(Call call) throws JournalException {
        Job found = finder.find(call);
        Past past = past(found.id()).orElse(new Past(found, List.of()));
        Job job = past.job();
        boolean isTheirs = call.caller().manages(job);
        call.send(
                200,
                new JobDetail(
                        bodies.job(
                                job,
                                explanations.standing(job),
                                why.trouble(job),
                                isTheirs ? JobBodies.Command.WHOLE : JobBodies.Command.NONE),
                        isTheirs ? Specs.shown(job.ownSpec()) : null,
                        Bodies.tasks(job),
                        past.latestEvents(),
                        why.obstacles(job, explanations.of(job)),
                        notes(past),
                        TrainingBodies.progress(job),
                        TrainingBodies.setbacks(job)));
    }

    JobBody body(Past past) {
        return bodies.job(past.job());
    }

    /** A finished job may be of a cluster that is no longer configured. */
    private List<String> notes(Past past) {
        Job job = past.job();
        Engine engine = engines.get(job.spec().cluster());
        var notes = new ArrayList<>(engine == null ? List.of() : engine.terms().notes(job.spec()));
        TrainingBodies.silence(job).ifPresent(notes::add);
        if (past.reports() > REPORTS_SHOWN_MAX)
            notes.add(
                    "of %d reports of its script the events show the last %d"
                            .formatted(past.reports(), REPORTS_SHOWN_MAX));
        return notes;
    }

    void spec(Call call) throws JournalException {
        Job job = finder.find(call);
        call.onlyOwner(job, "see the spec of");
        call.send(200, Specs.shown(job.ownSpec()));
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
}
