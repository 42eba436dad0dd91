package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Resources;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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
    private final List<Job> candidates = new ArrayList<>();
    private Instant nextCandidate = Instant.MAX;

    Victims(View view, Room future, Tally tally) {
        this.view = view;
        this.future = future;
        this.tally = tally;
        for (Job job : view.active()) {
            if (job.spec().interactive() || job.spec().gpus() == 0) continue;
            if (!(job.state() instanceof JobState.Running running)) continue;
            Instant free = running.since().plus(view.rules().undisturbed());
            if (!free.isAfter(view.now())) candidates.add(job);
            else if (free.isBefore(nextCandidate)) nextCandidate = free;
        }
        candidates.sort(
                Comparator.comparingLong(this::lostWork)
                        .thenComparing(Job::submitted, Comparator.reverseOrder())
                        .thenComparing(Job::id));
    }

    /** GPU-milliseconds since it started: what a stop throws away. */
    private long lostWork(Job job) {
        Instant since = ((JobState.Running) job.state()).since();
        return (view.now().toEpochMilli() - since.toEpochMilli()) * job.spec().milliGpus();
    }

    /** When time alone will make another job a candidate. */
    Optional<Instant> nextCandidate() {
        return nextCandidate.equals(Instant.MAX) ? Optional.empty() : Optional.of(nextCandidate);
    }

    /**
     * The jobs to stop for this one, as few as possible; none when that would not help. Their room
     * and their share of the tally are given back at once.
     */
    List<Job> choose(Job job) {
        List<Job> chosen = job.spec().tasks() == 1 ? onOneNode(job) : List.of();
        if (chosen.isEmpty()) chosen = among(candidates, job);
        chosen.forEach(this::giveBack);
        candidates.removeAll(chosen);
        return chosen;
    }

    /** On the node where the least work is lost: stops elsewhere would not help a single task. */
    private List<Job> onOneNode(Job job) {
        var byNode = new TreeMap<String, List<Job>>();
        for (Job candidate : candidates) {
            Set<String> nodes = new TreeSet<>();
            var placement = ((JobState.Active) candidate.state()).attempt().placement();
            placement.tasks().forEach(task -> nodes.add(task.node()));
            for (String node : nodes) {
                byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(candidate);
            }
        }
        List<Job> best = List.of();
        long least = Long.MAX_VALUE;
        for (List<Job> here : byNode.values()) {
            List<Job> chosen = among(here, job);
            long lost = chosen.stream().mapToLong(this::lostWork).sum();
            if (!chosen.isEmpty() && lost < least) {
                best = chosen;
                least = lost;
            }
        }
        return best;
    }

    /** The fewest of these, those with the least to lose first; leaves everything as it was. */
    private List<Job> among(List<Job> some, Job job) {
        var chosen = new ArrayList<Job>();
        boolean fits = false;
        for (Job candidate : some) {
            if (!mayTake(job, candidate)) continue;
            giveBack(candidate);
            chosen.add(candidate);
            fits = future.freeGpus() >= wholeGpus(job) && future.fits(job.spec());
            if (fits || chosen.size() == CHOSEN_MAX) break;
        }
        if (fits) spareTheNeedless(job, chosen);
        else spareAll(chosen);
        chosen.forEach(this::keep);
        return chosen;
    }

    private void spareAll(List<Job> chosen) {
        chosen.forEach(this::keep);
        chosen.clear();
    }

    private static int wholeGpus(Job job) {
        return (int) (job.spec().milliGpus() / Resources.GPU);
    }

    private boolean mayTake(Job job, Job victim) {
        String project = victim.spec().project();
        if (!project.equals(job.spec().project())) return tally.isOverQuota(project);
        return !victim.owner().equals(job.owner())
                && tally.heldBy(job.owner())
                        < tally.heldBy(victim.owner()) - victim.spec().milliGpus();
    }

    /** Those with the most work to lose first. */
    private void spareTheNeedless(Job job, List<Job> chosen) {
        for (Job victim : List.copyOf(chosen).reversed()) {
            keep(victim);
            if (future.fits(job.spec())) chosen.remove(victim);
            else giveBack(victim);
        }
    }

    private void giveBack(Job victim) {
        future.release(victim);
        tally.remove(victim);
    }

    private void keep(Job victim) {
        future.hold(victim);
        tally.add(victim);
    }
}
