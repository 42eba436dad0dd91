package fairlead.policy.forecast;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A job that holds now what a waiting job will start on, and how it gives it.
 *
 * @param gpus how many it holds; zero where the waiting job wants none
 * @param gives when it is expected to have left; empty where nobody can say
 * @param asked when it is, or was, asked to stop; empty where it is expected to end by itself
 * @param beneficiary for whom it is asked
 */
public record Holder(
        Job job,
        int gpus,
        Optional<Instant> gives,
        Optional<Instant> asked,
        Optional<JobId> beneficiary) {
    /** Who gives first comes first; of whom nobody knows it, last. */
    private static final Comparator<Holder> ORDER =
            Comparator.comparing((Holder holder) -> holder.gives.orElse(Instant.MAX))
                    .thenComparing(holder -> holder.job.id());

    /** Where the job is not seen to start, all who hold GPUs are in its way. */
    static List<Holder> of(JobId waiting, View view, Playout played) {
        Job asks = Forecast.waiting(view).get(waiting);
        if (asks == null) return List.of();
        boolean wantsGpus = asks.spec().gpus() > 0;
        // After its pause there may be room beside those who are on its node now.
        boolean pauses = ((JobState.Queued) asks.state()).notBefore().isAfter(view.now());
        boolean mustLeave = wantsGpus || pauses;
        Optional<Playout.Begin> begin = Optional.ofNullable(played.begins().get(waiting));
        Set<String> wanted =
                begin.map(it -> seats(it.placement(), wantsGpus)).orElseGet(HashSet::new);
        var holders = new ArrayList<Holder>();
        for (Job job : view.active()) {
            Set<String> held = seats(placement(job), wantsGpus);
            if (held.isEmpty()) continue;
            Holder holder = holder(job, wantsGpus ? held.size() : 0, played);
            boolean isInPlace =
                    begin.isEmpty()
                            || !Collections.disjoint(wanted, held)
                                    && (!mustLeave || holder.leavesBy(begin.get().at()));
            if (isInPlace || holder.stopsFor(waiting)) holders.add(holder);
        }
        // Whoever stops for another may leave its place to this job, whose own ones go elsewhere.
        if (holders.stream().anyMatch(holder -> holder.stopsFor(waiting)))
            holders.removeIf(holder -> holder.stopsForAnother(waiting));
        holders.sort(ORDER);
        return holders;
    }

    /** Otherwise there is room beside it: it holds a part of a GPU. */
    private boolean leavesBy(Instant start) {
        return gives.filter(at -> !at.isAfter(start)).isPresent();
    }

    private boolean stopsFor(JobId waiting) {
        return beneficiary.filter(waiting::equals).isPresent();
    }

    private boolean stopsForAnother(JobId waiting) {
        return beneficiary
                .filter(other -> !other.equals(waiting) && !other.equals(job.id()))
                .isPresent();
    }

    /** Those with GPUs of a project, where a rule of the project keeps a job waiting. */
    static List<Holder> of(String project, Predicate<Job> counts, View view, Playout played) {
        return view.active().stream()
                .filter(job -> job.spec().project().equals(project) && job.spec().gpus() > 0)
                .filter(counts)
                .map(job -> holder(job, seats(placement(job), true).size(), played))
                .sorted(ORDER)
                .toList();
    }

    private static Holder holder(Job job, int gpus, Playout played) {
        Optional<Playout.Leave> leave = Optional.ofNullable(played.leaves().get(job.id()));
        return new Holder(
                job,
                gpus,
                leave.map(Playout.Leave::at),
                leave.flatMap(Playout.Leave::asked),
                leave.flatMap(Playout.Leave::beneficiary));
    }

    private static Placement placement(Job job) {
        return ((JobState.Active) job.state()).attempt().placement();
    }

    /** The GPUs of a place, or its nodes where GPUs do not matter. */
    private static Set<String> seats(Placement placement, boolean byGpu) {
        Set<String> seats = new HashSet<>();
        for (TaskPlacement task : placement.tasks()) {
            if (!byGpu) seats.add(task.node());
            else for (Share share : task.shares()) seats.add(task.node() + "/" + share.gpu());
        }
        return seats;
    }
}
