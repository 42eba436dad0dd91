package fairlead.server.history;

import fairlead.api.clusters.RunBody;
import fairlead.job.Attempt;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.TaskPlacement;
import fairlead.journal.Fact;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.policy.forecast.Forecast;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Who had which GPUs of a cluster since a moment, who has them, and who will have them next. */
public final class Timeline {
    /** This many finished jobs are looked at; older ones are left out, and a note says so. */
    private static final int JOBS_MAX = 10_000;

    /** More bars than a screen has room for. */
    private static final int RUNS_MAX = 5_000;

    private final String cluster;
    private final Instant from;
    private final List<RunBody> runs = new ArrayList<>();
    private boolean isWhole = true;

    private Timeline(String cluster, Instant from) {
        this.cluster = cluster;
        this.from = from;
    }

    /**
     * @param unfinished those that are not in the journal's lists of finished ones
     * @param forecast of those that wait; empty where there is none
     */
    public static Timeline of(
            String cluster,
            Instant from,
            Collection<Job> unfinished,
            Journal journal,
            Optional<Forecast> forecast)
            throws JournalException {
        var timeline = new Timeline(cluster, from);
        for (Job job : unfinished) timeline.take(job, journal, forecast);
        forecast.ifPresent(it -> timeline.plan(unfinished, it));
        timeline.takeFinished(journal);
        return timeline;
    }

    public List<RunBody> runs() {
        return runs;
    }

    public List<String> notes() {
        return isWhole
                ? List.of()
                : List.of("only the latest jobs are shown; there were more in this time");
    }

    private void takeFinished(Journal journal) throws JournalException {
        boolean areAll =
                FinishedJobs.since(
                        from, journal, JOBS_MAX, (job, _) -> take(job, journal, Optional.empty()));
        if (!areAll) isWhole = false;
    }

    private void take(Job job, Journal journal, Optional<Forecast> forecast)
            throws JournalException {
        if (!job.spec().cluster().equals(cluster) || job.spec().gpus() == 0) return;
        if (job.attempts() == 0) return;
        Optional<Instant> end =
                job.state() instanceof JobState.Finished over
                        ? Optional.of(over.at())
                        : Optional.empty();
        if (job.attempts() == 1 && job.attempt().isPresent()) {
            Instant start = job.started().orElse(job.submitted());
            add(job, job.attempt().get().placement(), start, end, forecast);
            return;
        }
        Optional<Placement> placed = Optional.empty();
        Optional<Instant> since = Optional.empty();
        for (Fact fact : journal.history(job.id())) {
            switch (fact.event()) {
                case Event.AttemptPlaced(Instant at, Attempt attempt) -> {
                    placed = Optional.of(attempt.placement());
                    since = Optional.of(at);
                }
                case Event.AttemptEnded ended -> {
                    if (placed.isPresent())
                        add(
                                job,
                                placed.get(),
                                since.orElseThrow(),
                                Optional.of(ended.at()),
                                Optional.empty());
                    placed = Optional.empty();
                }
                default -> {}
            }
        }
        if (placed.isPresent()) add(job, placed.get(), since.orElseThrow(), end, forecast);
    }

    /** One bar for each node. */
    private void add(
            Job job,
            Placement placement,
            Instant start,
            Optional<Instant> end,
            Optional<Forecast> forecast) {
        if (end.filter(at -> !at.isAfter(from)).isPresent()) return;
        Optional<Instant> leaves =
                end.isPresent() ? Optional.empty() : forecast.flatMap(it -> it.leaves(job.id()));
        add(job, placement, start, end, false, leaves);
    }

    private void add(
            Job job,
            Placement placement,
            Instant start,
            Optional<Instant> end,
            boolean planned,
            Optional<Instant> leaves) {
        var byNode = new TreeMap<String, List<Integer>>();
        for (TaskPlacement task : placement.tasks())
            byNode.computeIfAbsent(task.node(), _ -> new ArrayList<>()).addAll(task.gpus());
        byNode.forEach(
                (node, gpus) -> {
                    if (gpus.isEmpty()) return;
                    if (runs.size() == RUNS_MAX) {
                        isWhole = false;
                        return;
                    }
                    runs.add(
                            new RunBody(
                                    job.id().text(),
                                    job.owner(),
                                    job.state().word(),
                                    node,
                                    gpus.stream().distinct().toList(),
                                    start.toString(),
                                    end.map(Instant::toString).orElse(null),
                                    planned,
                                    leaves.map(Instant::toString).orElse(null)));
                });
    }

    private void plan(Collection<Job> unfinished, Forecast forecast) {
        for (Job job : unfinished) {
            if (!(job.state() instanceof JobState.Queued) || job.spec().gpus() == 0) continue;
            forecast.begins(job.id())
                    .ifPresent(
                            begin ->
                                    add(
                                            job,
                                            begin.placement(),
                                            begin.at(),
                                            Optional.empty(),
                                            true,
                                            Optional.empty()));
        }
    }
}
