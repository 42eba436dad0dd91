package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Resources;
import fairlead.job.Setup;
import fairlead.job.TaskPlacement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

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

    /** More stops than this at a time are seldom wanted; the next plan goes on. */
    private static final int SEARCHES_MAX = 50;

    /** Keeps the plan of a large cluster short. */
    private static final int LOOKS_MAX = 100_000;

    private final View view;
    private final Room future;
    private final Tally tally;
    private final Map<String, List<Local>> byNode = new TreeMap<>();
    private final Map<JobId, Candidate> chosenBefore = new HashMap<>();

    /** Those with the least to lose first; made when somebody first asks. */
    private List<Candidate> candidates;

    private Instant nextCandidate = Instant.MAX;

    /** Who may be stopped. */
    private static final class Candidate {
        private static final Comparator<Candidate> ORDER =
                Comparator.comparingLong((Candidate each) -> each.lost)
                        .thenComparing(each -> each.job.submitted(), Comparator.reverseOrder())
                        .thenComparing(each -> each.job.id());

        final Job job;
        final Tally.Account owner;
        final Tally.Account project;

        /** GPU-milliseconds that a stop throws away, or that the wait for a checkpoint takes. */
        final long lost;

        boolean isChosen;

        Candidate(Job job, Tally tally, long lost) {
            this.job = job;
            this.owner = tally.owner(job.owner());
            this.project = tally.project(job.spec().project());
            this.lost = lost;
        }
    }

    /** A candidate on one of its nodes, and how many GPUs it can free there at most. */
    private record Local(Candidate candidate, int gpus) {}

    /** A node's candidates, and what stopping enough of them costs at least. */
    private record Offer(String node, List<Candidate> candidates, long leastLost) {}

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
            if (!free.isAfter(view.now())) candidates.add(new Candidate(job, tally, lostWork(job)));
            else if (free.isBefore(nextCandidate)) nextCandidate = free;
        }
        candidates.sort(Candidate.ORDER);
        for (Candidate candidate : candidates) fileByNode(candidate);
        return candidates;
    }

    private void fileByNode(Candidate candidate) {
        var gpus = new TreeMap<String, Integer>();
        var placement = ((JobState.Active) candidate.job.state()).attempt().placement();
        for (TaskPlacement task : placement.tasks()) {
            gpus.merge(task.node(), task.shares().size(), Integer::sum);
        }
        gpus.forEach(
                (node, count) ->
                        byNode.computeIfAbsent(node, _ -> new ArrayList<>())
                                .add(new Local(candidate, count)));
    }

    private long lostWork(Job job) {
        Duration risk = job.atRisk(view.now());
        Duration cost = job.stopsAtCheckpoint() ? untilCheckpoint(job, risk) : risk;
        return cost.toMillis() * job.spec().milliGpus();
    }

    /** The rest of its epoch; as long as it has run already where none was measured. */
    private Duration untilCheckpoint(Job job, Duration since) {
        var setup = Setup.alone(((JobState.Running) job.state()).attempt().placement());
        return view.foresight()
                .profile(job)
                .speed(setup)
                .map(speed -> Duration.ofMillis((long) (speed.epochSeconds() * 1_000)).minus(since))
                .filter(left -> !left.isNegative())
                .orElse(since);
    }

    /** How often it may be asked in one plan: each time every candidate is looked at. */
    int searchesMax() {
        return Math.clamp(LOOKS_MAX / Math.max(1, view.active().size()), 5, SEARCHES_MAX);
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
        if (chosen.isEmpty()) {
            chosen = among(all, job, Long.MAX_VALUE, () -> future.fits(job.spec()));
        }
        chosen.forEach(this::giveBack);
        for (Candidate each : chosen) {
            each.isChosen = true;
            chosenBefore.put(each.job.id(), each);
        }
        return chosen.stream().map(each -> each.job).toList();
    }

    /** Undoes a choice that could not be used. */
    void spare(List<Job> chosen) {
        for (Job victim : chosen) {
            future.hold(victim);
            tally.add(victim);
            chosenBefore.remove(victim.id()).isChosen = false;
        }
    }

    /** On the node where the least work is lost: stops elsewhere would not help a single task. */
    private List<Candidate> onOneNode(Job job) {
        Resources ask = job.spec().roles().getFirst().resources();
        List<Candidate> best = List.of();
        long least = Long.MAX_VALUE;
        for (Offer offer : offers(job)) {
            // Sorted by what they cost at least, so the rest is no better.
            if (offer.leastLost() >= least) break;
            BooleanSupplier fits = () -> future.fitsOn(offer.node(), ask);
            List<Candidate> chosen = among(offer.candidates(), job, least, fits);
            long lost = chosen.stream().mapToLong(each -> each.lost).sum();
            if (!chosen.isEmpty() && lost < least) {
                best = chosen;
                least = lost;
            }
        }
        return best;
    }

    /** Counts GPUs alone, which is quick: most nodes need no closer look. */
    private List<Offer> offers(Job job) {
        Resources ask = job.spec().roles().getFirst().resources();
        int wanted = ask.part() instanceof GpuPart.Whole ? ask.gpus() : 1;
        long own = tally.heldBy(job.owner());
        var offers = new ArrayList<Offer>();
        byNode.forEach(
                (node, locals) -> {
                    int gpus = ask.part() instanceof GpuPart.Whole ? future.freeGpus(node) : 0;
                    var here = new ArrayList<Candidate>();
                    long least = Long.MAX_VALUE;
                    for (Local local : locals) {
                        Candidate candidate = local.candidate();
                        if (candidate.isChosen) continue;
                        here.add(candidate);
                        if (gpus >= wanted && least < Long.MAX_VALUE) continue;
                        if (!mayTake(job, own, candidate)) continue;
                        gpus += local.gpus();
                        if (gpus >= wanted) least = candidate.lost;
                    }
                    if (least < Long.MAX_VALUE) offers.add(new Offer(node, here, least));
                });
        offers.sort(Comparator.comparingLong(Offer::leastLost));
        return offers;
    }

    /**
     * The fewest of these, those with the least to lose first; none where one of them has as much
     * to lose as this. Leaves everything as it was.
     */
    private List<Candidate> among(
            List<Candidate> some, Job job, long lostMax, BooleanSupplier enough) {
        var chosen = new ArrayList<Candidate>();
        // Counted before anyone is given back: who is spared in the end still holds.
        long own = tally.heldBy(job.owner());
        boolean fits = false;
        for (Candidate candidate : some) {
            // The last one chosen is always needed, so nothing cheaper comes behind it.
            if (candidate.lost >= lostMax || chosen.size() == CHOSEN_MAX) break;
            if (candidate.isChosen || !mayTake(job, own, candidate)) continue;
            giveBack(candidate);
            chosen.add(candidate);
            fits = enough.getAsBoolean();
            if (fits) break;
        }
        if (fits) spareTheNeedless(chosen, enough);
        else spareAll(chosen);
        chosen.forEach(this::keep);
        return chosen;
    }

    private void spareAll(List<Candidate> chosen) {
        chosen.forEach(this::keep);
        chosen.clear();
    }

    private boolean mayTake(Job job, long own, Candidate victim) {
        if (victim.project != tally.project(job.spec().project())) {
            return victim.project.isOverQuota();
        }
        return !victim.job.owner().equals(job.owner())
                && own < victim.owner.held() - victim.job.spec().milliGpus();
    }

    /** Those with the most work to lose first. */
    private void spareTheNeedless(List<Candidate> chosen, BooleanSupplier enough) {
        for (Candidate victim : List.copyOf(chosen).reversed()) {
            keep(victim);
            if (enough.getAsBoolean()) chosen.remove(victim);
            else giveBack(victim);
        }
    }

    private void giveBack(Candidate victim) {
        future.release(victim.job);
        tally.remove(victim.job);
    }

    private void keep(Candidate victim) {
        future.hold(victim.job);
        tally.add(victim.job);
    }
}
