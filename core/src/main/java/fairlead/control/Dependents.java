package fairlead.control;

import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobSpec.After;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Jobs that wait for other jobs, found by what they wait for. Each end is judged in the tick in
 * which it happens, so whoever still waits knows that all who ended before did as it asked. For the
 * loop alone.
 */
final class Dependents {
    private final Controller controller;

    /** By the id of a job or an array. */
    private final Map<String, TreeSet<JobId>> waiting = new HashMap<>();

    Dependents(Controller controller) {
        this.controller = controller;
    }

    void clear() {
        waiting.clear();
    }

    /** Whoever waits for what is unknown or has ended badly would wait for ever. */
    static Optional<Refused> refusal(List<JobSpec> specs, Draft draft, Controller controller)
            throws JournalException {
        JobSpec last = null;
        for (JobSpec spec : specs) {
            // The jobs of an array share one spec.
            if (spec == last) continue;
            last = spec;
            for (After after : spec.after()) {
                Optional<Refused> refusal = refusal(after, draft, controller);
                if (refusal.isPresent()) return refusal;
            }
        }
        return Optional.empty();
    }

    private static Optional<Refused> refusal(After after, Draft draft, Controller controller)
            throws JournalException {
        Optional<Job> bad;
        if (isJob(after)) {
            var id = new JobId(after.job());
            if (draft.current(id).isPresent()) return Optional.empty();
            Job changed = draft.changed().get(id);
            bad = changed == null ? controller.journal().find(id) : Optional.of(changed);
            if (bad.isEmpty()) {
                return Optional.of(
                        new Refused(Refused.Kind.NOT_FOUND, "no job " + id + " to wait for"));
            }
        } else {
            bad = endedBadly(after.job(), controller.journal());
        }
        if (bad.isEmpty() || standing(bad.get(), after.until()) != Standing.NEVER) {
            return Optional.empty();
        }
        return Optional.of(
                new Refused(
                        Refused.Kind.CONFLICT,
                        "%s %s, so a job that waits until %s would never start"
                                .formatted(bad.get().id(), bad.get().state().word(), after)));
    }

    private static Optional<Job> endedBadly(String array, Journal journal) throws JournalException {
        for (String word : List.of("failed", "cancelled")) {
            var query =
                    new FinishedQuery(
                            Optional.empty(),
                            Optional.of(word),
                            Optional.of(array),
                            Optional.empty(),
                            1);
            List<Job> found = journal.finished(query);
            if (!found.isEmpty()) return Optional.of(found.getFirst());
        }
        return Optional.empty();
    }

    /** Takes a job as it stands now. */
    void take(Job job) {
        for (After after : job.spec().after()) {
            if (job.isHeld()) {
                waiting.computeIfAbsent(after.job(), _ -> new TreeSet<>()).add(job.id());
            } else {
                waiting.computeIfPresent(
                        after.job(),
                        (_, jobs) -> {
                            jobs.remove(job.id());
                            return jobs.isEmpty() ? null : jobs;
                        });
            }
        }
    }

    /** Lets go whoever need not wait any more, and ends whoever would wait for ever. */
    void settle(Draft draft, Instant now) {
        List<Job> changed = List.copyOf(draft.changed().values());
        while (!changed.isEmpty()) {
            var next = new ArrayList<Job>();
            // What many wait for is looked at once.
            var known = new HashMap<After, Standing>();
            for (Job job : held(changed, draft)) {
                Standing all = Standing.MET;
                Optional<After> never = Optional.empty();
                for (After after : job.spec().after()) {
                    Standing each = known.computeIfAbsent(after, it -> standing(it, draft));
                    if (each == Standing.NEVER) never = Optional.of(after);
                    if (each == Standing.OPEN) all = Standing.OPEN;
                }
                if (never.isPresent()) next.add(draft.apply(job, forsaken(never.get(), now)));
                else if (all == Standing.MET) draft.apply(job, new Event.Released(now));
            }
            changed = next;
        }
    }

    private static Event forsaken(After after, Instant now) {
        return new Event.Forsaken(
                now, "it was to run once " + after + ", which can no longer happen");
    }

    /** Those to look at after these changes, in the order of their ids. */
    private Collection<Job> held(List<Job> changed, Draft draft) {
        var held = new TreeMap<JobId, Job>();
        for (Job job : changed) {
            if (job.isHeld()) held.put(job.id(), job);
            boolean hasMoved = job.isFinished() || job.state() instanceof JobState.Running;
            if (!hasMoved) continue;
            Stream.concat(
                            Stream.of(job.id().text()),
                            job.array().map(Job.ArrayPlace::array).stream())
                    .flatMap(name -> waiting.getOrDefault(name, new TreeSet<>()).stream())
                    .flatMap(id -> draft.current(id).stream())
                    .filter(Job::isHeld)
                    .forEach(other -> held.put(other.id(), other));
        }
        return held.values();
    }

    /** How something that a job waits for stands. */
    private enum Standing {
        OPEN,
        MET,
        NEVER
    }

    private Standing standing(After after, Draft draft) {
        Standing all = Standing.MET;
        for (Job job : named(after, draft)) {
            Standing each = standing(job, after.until());
            if (each == Standing.NEVER) return each;
            if (each == Standing.OPEN) all = each;
        }
        return all;
    }

    /** Those that have changed in this tick or have not ended before. */
    private List<Job> named(After after, Draft draft) {
        var named = new ArrayList<Job>();
        for (Job job : draft.changed().values()) if (isNamed(job, after)) named.add(job);
        for (Job job : unfinished(after)) {
            if (!draft.changed().containsKey(job.id())) named.add(job);
        }
        return named;
    }

    /** As the last tick left them. Any thread. */
    List<Job> awaited(After after) {
        return unfinished(after).stream()
                .filter(job -> standing(job, after.until()) == Standing.OPEN)
                .toList();
    }

    private List<Job> unfinished(After after) {
        return isJob(after)
                ? controller.unfinished(new JobId(after.job())).stream().toList()
                : controller.unfinished().stream().filter(job -> isNamed(job, after)).toList();
    }

    private static boolean isJob(After after) {
        return after.job().indexOf('_') >= 0;
    }

    private static boolean isNamed(Job job, After after) {
        return job.id().text().equals(after.job())
                || job.array().filter(place -> place.array().equals(after.job())).isPresent();
    }

    private static Standing standing(Job job, After.Until until) {
        if (!(job.state() instanceof JobState.Finished over)) {
            boolean hasStarted = job.started().isPresent() || job.attempts() > 1;
            return until == After.Until.STARTED && hasStarted ? Standing.MET : Standing.OPEN;
        }
        boolean isMet =
                until != After.Until.SUCCEEDED || over.outcome().kind() == Outcome.Kind.SUCCEEDED;
        return isMet ? Standing.MET : Standing.NEVER;
    }
}
