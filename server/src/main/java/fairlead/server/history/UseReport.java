package fairlead.server.history;

import fairlead.api.report.ReportBody;
import fairlead.api.report.UseBody;
import fairlead.cluster.Rules;
import fairlead.job.Attempt;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Outcome;
import fairlead.job.Resources;
import fairlead.journal.Fact;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who has used GPUs between two moments, and whose they were by the quotas of today. */
public final class UseReport {
    /** As many as a report of a busy month needs; reading them takes seconds. */
    private static final int JOBS_MAX = 100_000;

    private final Instant from;
    private final Instant to;
    private final Rules rules;
    private final int gpus;
    private final Map<String, Sum> people = new TreeMap<>();
    private final Map<String, Sum> projects = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();

    /** What one person or project has used. */
    private static final class Sum {
        int jobs;
        int failed;
        double milliGpuSeconds;
        final List<Double> waits = new ArrayList<>();

        UseBody body(String name, Integer quota, Double borrowed, Double lent) {
            Collections.sort(waits);
            Double wait = waits.isEmpty() ? null : waits.get(waits.size() / 2);
            return new UseBody(
                    name, jobs, failed, hours(milliGpuSeconds), wait, quota, borrowed, lent);
        }
    }

    /** A project holds more from then on, or less. */
    private record Change(Instant at, String project, long milliGpus) {}

    /** When an attempt ran, and on what. */
    record Run(Instant from, Instant to, long milliGpus) {}

    private UseReport(Instant from, Instant to, Rules rules, int gpus) {
        this.from = from;
        this.to = to;
        this.rules = rules;
        this.gpus = gpus;
    }

    /**
     * @param unfinished those that are not in the journal's lists of finished ones
     * @param gpus of all clusters
     */
    public static ReportBody of(
            Journal journal,
            Collection<Job> unfinished,
            Rules rules,
            int gpus,
            Instant from,
            Instant to)
            throws JournalException {
        var report = new UseReport(from, to, rules, gpus);
        for (Job job : unfinished) report.take(job, runs(job, journal, to));
        boolean isWhole =
                FinishedJobs.since(
                        from,
                        journal,
                        JOBS_MAX,
                        (job, end) -> report.take(job, runs(job, journal, end)));
        return report.body(isWhole);
    }

    /** A job that ran once says it itself; of others the facts are read. */
    private static List<Run> runs(Job job, Journal journal, Instant end) throws JournalException {
        if (job.attempts() == 0) return List.of();
        boolean isAgain = job.state() instanceof JobState.Queued;
        if (job.attempts() == 1 && job.started().isPresent() && !isAgain) {
            return List.of(new Run(job.started().get(), end, job.spec().milliGpus()));
        }
        return runs(job, journal.history(job.id()), end);
    }

    static List<Run> runs(Job job, List<Fact> history, Instant end) {
        var runs = new ArrayList<Run>();
        long milliGpus = 0;
        Instant placed = job.submitted();
        Optional<Instant> since = Optional.empty();
        for (Fact fact : history) {
            switch (fact.event()) {
                case Event.AttemptPlaced(Instant at, Attempt attempt) -> {
                    milliGpus = held(job, attempt);
                    placed = at;
                }
                case Event.AttemptStarted started -> since = Optional.of(started.at());
                case Event.AttemptEnded ended -> {
                    // One that ended before anybody saw it run has run for no time.
                    Instant until = since.isPresent() ? ended.at() : placed;
                    runs.add(new Run(since.orElse(placed), until, milliGpus));
                    since = Optional.empty();
                }
                default -> {}
            }
        }
        if (since.isPresent()) runs.add(new Run(since.get(), end, milliGpus));
        return runs;
    }

    /** The size of a training job differs from attempt to attempt. */
    private static long held(Job job, Attempt attempt) {
        if (job.spec().training().isEmpty()) return job.spec().milliGpus();
        return attempt.placement().tasks().stream()
                .flatMap(task -> task.shares().stream())
                .mapToLong(share -> share.isWhole() ? Resources.GPU : job.spec().milliGpus())
                .sum();
    }

    private void take(Job job, List<Run> runs) {
        boolean hasRun = false;
        for (Run run : runs) {
            Instant begin = run.from().isAfter(from) ? run.from() : from;
            Instant end = run.to().isBefore(to) ? run.to() : to;
            if (run.to().isBefore(from) || !run.from().isBefore(to)) continue;
            hasRun = true;
            double used = run.milliGpus() * seconds(Duration.between(begin, end));
            person(job).milliGpuSeconds += used;
            project(job).milliGpuSeconds += used;
            changes.add(new Change(begin, job.spec().project(), run.milliGpus()));
            changes.add(new Change(end, job.spec().project(), -run.milliGpus()));
        }
        if (!hasRun) return;
        boolean isFailed =
                job.state() instanceof JobState.Finished over
                        && over.outcome().kind() == Outcome.Kind.FAILED
                        && over.at().isBefore(to);
        Instant first = runs.getFirst().from();
        for (Sum sum : List.of(person(job), project(job))) {
            sum.jobs++;
            if (isFailed) sum.failed++;
            // Who waits for other jobs has not waited for a GPU.
            if (!first.isBefore(from) && first.isBefore(to) && job.spec().after().isEmpty())
                sum.waits.add(seconds(Duration.between(job.submitted(), first)));
        }
    }

    private Sum person(Job job) {
        return people.computeIfAbsent(job.owner(), _ -> new Sum());
    }

    private Sum project(Job job) {
        return projects.computeIfAbsent(job.spec().project(), _ -> new Sum());
    }

    private ReportBody body(boolean isWhole) {
        boolean hasQuotas =
                rules.projects().values().stream().anyMatch(each -> each.quota().isPresent());
        if (hasQuotas) rules.projects().keySet().forEach(this::mention);
        var borrowed = new HashMap<String, Double>();
        var lent = new HashMap<String, Double>();
        if (hasQuotas) lend(borrowed, lent);
        var ofPeople = new ArrayList<UseBody>();
        double all = 0;
        for (var entry : people.entrySet()) {
            ofPeople.add(entry.getValue().body(entry.getKey(), null, null, null));
            all += entry.getValue().milliGpuSeconds;
        }
        var ofProjects = new ArrayList<UseBody>();
        for (var entry : projects.entrySet()) {
            String name = entry.getKey();
            var quota = rules.project(name).quota();
            ofProjects.add(
                    entry.getValue()
                            .body(
                                    name,
                                    quota.isPresent() ? quota.getAsInt() : null,
                                    hasQuotas ? hours(borrowed.getOrDefault(name, 0.0)) : null,
                                    hasQuotas ? hours(lent.getOrDefault(name, 0.0)) : null));
        }
        return new ReportBody(
                from.toString(),
                to.toString(),
                gpus,
                hours(all),
                ofPeople,
                ofProjects,
                isWhole
                        ? List.of()
                        : List.of("only the last " + JOBS_MAX + " finished jobs were counted"));
    }

    /** One that has lent all its GPUs has used none. */
    private void mention(String project) {
        projects.computeIfAbsent(project, _ -> new Sum());
    }

    /**
     * From change to change: what a project holds above its quota is borrowed, first from the GPUs
     * of no quota, then from quotas that are not used, from each by what it has unused.
     */
    private void lend(Map<String, Double> borrowed, Map<String, Double> lent) {
        changes.sort((one, other) -> one.at().compareTo(other.at()));
        var held = new HashMap<String, Long>();
        Instant last = from;
        for (Change change : changes) {
            double seconds = seconds(Duration.between(last, change.at()));
            if (seconds > 0) lend(held, seconds, borrowed, lent);
            held.merge(change.project(), change.milliGpus(), Long::sum);
            last = change.at();
        }
    }

    private void lend(
            Map<String, Long> held,
            double seconds,
            Map<String, Double> borrowed,
            Map<String, Double> lent) {
        long above = 0;
        long unused = 0;
        long ofQuotas = 0;
        for (String name : projects.keySet()) {
            long quota = quota(name);
            long own = held.getOrDefault(name, 0L);
            ofQuotas += quota;
            unused += Math.max(0, quota - own);
            above += Math.max(0, own - quota);
            if (own > quota) borrowed.merge(name, (own - quota) * seconds, Double::sum);
        }
        double ofOthers = above - Math.max(0, gpus * 1_000L - ofQuotas);
        if (ofOthers <= 0 || unused == 0) return;
        double part = Math.min(1, ofOthers / unused);
        for (String name : projects.keySet()) {
            long idle = quota(name) - held.getOrDefault(name, 0L);
            if (idle > 0) lent.merge(name, idle * part * seconds, Double::sum);
        }
    }

    private long quota(String project) {
        return rules.project(project).quota().orElse(0) * 1_000L;
    }

    private static double seconds(Duration span) {
        return span.toMillis() / 1000.0;
    }

    /** To thousandths, which are 3.6 seconds of a GPU. */
    private static double hours(double milliGpuSeconds) {
        return Math.round(milliGpuSeconds / 3_600.0) / 1_000.0;
    }
}
