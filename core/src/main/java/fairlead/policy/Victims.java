package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.TaskPlacement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whom to stop so that another job can start. Goals in order: never break a promise (interactive
 * work, a quota, an attempt's undisturbed time); stop nobody whose stop does not help; lose the
 * least work.
 *
 * <p>A job inside its project's quota may take back what another project has borrowed. Inside one
 * project it may take from an owner who would still hold more than its own owner holds: one's first
 * GPU goes before anyone's second, and an equal rank is never stopped. Both hold after the swap
 * too, so the two never stop each other in turn.
 *
 * <p>Example: ann holds 3 GPUs with three jobs, bob none. Bob's job of 1 GPU takes the one of ann's
 * that has run shortest: ann keeps 2. Bob's next job would leave ann with 1 against his 1, and
 * waits.
 */
final class Victims {
    /** Enough for the largest gang in use; keeps one plan short. */
    private static final int CHOSEN_MAX = 200;

    private final View view;
    private final Room future;
    private final Tally tally;
    private final Map<String, List<Candidate>> byNode = new TreeMap<>();
    private final Set<JobId> chosenBefore = new HashSet<>();

    /** Those with the least to lose first; made when somebody first asks. */
    private List<Candidate> candidates;

    private Instant nextCandidate = Instant.MAX;

    /**
     * Who may be stopped.
     *
     * @param lost GPU-milliseconds since it started: what a stop throws away
     */
    private record Candidate(Job job, long lost) {
        private static final Comparator<Candidate> ORDER =
                Comparator.comparingLong(Candidate::lost)
                        .thenComparing(each -> each.job().submitted(), Comparator.reverseOrder())
                        .thenComparing(each -> each.job().id());
    }

    Victims(View view, Room future, Tally tally) {
        this.view = view;
        this.future = future;
        this.tally = tally;
    }

    private List<Candidate> candidates() {
        if (candidates != null) return candidates;
        candidates = new ArrayList<>();
        for (Job job : view.active()) {
            if (job.spec().interactive() || job.spec().gpus() == 0) continue;
            if (!(job.state() instanceof JobState.Running running)) continue;
            Instant free = running.since().plus(view.rules().undisturbed());
            if (!free.isAfter(view.now())) candidates.add(new Candidate(job, lostWork(job)));
            else if (free.isBefore(nextCandidate)) nextCandidate = free;
        }
        candidates.sort(Candidate.ORDER);
        for (Candidate candidate : candidates) {
            var placement = ((JobState.Active) candidate.job().state()).attempt().placement();
            placement.tasks().stream()
                    .map(TaskPlacement::node)
                    .distinct()
                    .forEach(
                            node ->
                                    byNode.computeIfAbsent(node, _ -> new ArrayList<>())
                                            .add(candidate));
        }
        return candidates;
    }

    private long lostWork(Job job) {
        Instant since = ((JobState.Running) job.state()).since();
        return (view.now().toEpochMilli() - since.toEpochMilli()) * job.spec().milliGpus();
    }

    /** When time alone will make another job a candidate. */
    Optional<Instant> nextCandidate() {
        candidates();
        return nextCandidate.equals(Instant.MAX) ? Optional.empty() : Optional.of(nextCandidate);
    }

    /**
     * The jobs to stop for this one, as few as possible; none when that would not help. Their room
     * and their share of the tally are given back at once.
     */
    List<Job> choose(Job job) {
        List<Candidate> all = candidates();
        List<Candidate> chosen = job.spec().tasks() == 1 ? onOneNode(job) : List.of();
        if (chosen.isEmpty()) chosen = among(all, job, Long.MAX_VALUE);
        chosen.forEach(this::giveBack);
        chosen.forEach(each -> chosenBefore.add(each.job().id()));
        return chosen.stream().map(Candidate::job).toList();
    }

    /** Undoes a choice that could not be used. */
    void spare(List<Job> chosen) {
        for (Job victim : chosen) {
            future.hold(victim);
            tally.add(victim);
            chosenBefore.remove(victim.id());
        }
    }

    /** On the node where the least work is lost: stops elsewhere would not help a single task. */
    private List<Candidate> onOneNode(Job job) {
        List<Candidate> best = List.of();
        long least = Long.MAX_VALUE;
        for (List<Candidate> here : byNode.values()) {
            List<Candidate> chosen = among(here, job, least);
            long lost = chosen.stream().mapToLong(Candidate::lost).sum();
            if (!chosen.isEmpty() && lost < least) {
                best = chosen;
                least = lost;
            }
        }
        return best;
    }

    /**
     * The fewest of these, those with the least to lose first; none where one of them has as much
     * to lose as this. Leaves everything as it was.
     */
    private List<Candidate> among(List<Candidate> some, Job job, long lostMax) {
        var chosen = new ArrayList<Candidate>();
        // Counted before anyone is given back: who is spared in the end still holds.
        long own = tally.heldBy(job.owner());
        boolean fits = false;
        for (Candidate candidate : some) {
            // The last one chosen is always needed, so nothing cheaper comes behind it.
            if (candidate.lost() >= lostMax || chosen.size() == CHOSEN_MAX) break;
            if (chosenBefore.contains(candidate.job().id())
                    || !mayTake(job, own, candidate.job())) {
                continue;
            }
            giveBack(candidate);
            chosen.add(candidate);
            fits = future.fits(job.spec());
            if (fits) break;
        }
        if (fits) spareTheNeedless(job, chosen);
        else spareAll(chosen);
        chosen.forEach(this::keep);
        return chosen;
    }

    private void spareAll(List<Candidate> chosen) {
        chosen.forEach(this::keep);
        chosen.clear();
    }

    private boolean mayTake(Job job, long own, Job victim) {
        String project = victim.spec().project();
        if (!project.equals(job.spec().project())) return tally.isOverQuota(project);
        return !victim.owner().equals(job.owner())
                && own < tally.heldBy(victim.owner()) - victim.spec().milliGpus();
    }

    /** Those with the most work to lose first. */
    private void spareTheNeedless(Job job, List<Candidate> chosen) {
        for (Candidate victim : List.copyOf(chosen).reversed()) {
            keep(victim);
            if (future.fits(job.spec())) chosen.remove(victim);
            else giveBack(victim);
        }
    }

    private void giveBack(Candidate victim) {
        future.release(victim.job());
        tally.remove(victim.job());
    }

    private void keep(Candidate victim) {
        future.hold(victim.job());
        tally.add(victim.job());
    }
}
