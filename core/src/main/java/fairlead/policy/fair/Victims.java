package fairlead.policy.fair;

import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.policy.Line;
import fairlead.policy.Plan;
import fairlead.policy.Room;
import fairlead.policy.Tally;
import fairlead.policy.fair.Candidates.Candidate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Whom to stop so that another job can start. Goals in order: never break a promise (interactive
 * work, a quota, an attempt's undisturbed time); stop nobody whose stop does not help; take from
 * whoever has most, and of that owner's jobs the one that the owner would give up first; lose the
 * least work.
 *
 * <p>A job inside its project's quota may take back what another project has borrowed. Any job may
 * take, inside its project and of what others have borrowed, from an owner who would still hold
 * more than its own owner holds and has ahead of it: one's first GPU goes before anyone's second,
 * and an equal rank is never stopped. Both hold after the swap too, so the two never stop each
 * other in turn. Where nobody has a quota all projects are one. An interactive job may also take
 * from the training jobs of its own owner there: its owner would rather have it.
 *
 * <p>Example: ann holds 3 GPUs with three jobs, bob none. Bob's job of 1 GPU takes the one of ann's
 * that has run shortest: ann keeps 2. Bob's next job would leave ann with 1 against his 1, and
 * waits.
 */
final class Victims {
    /** Enough for the largest gang in use; keeps one plan short. */
    private static final int CHOSEN_MAX = 200;

    /** Each costs as much as the search itself, and more are hardly ever of use. */
    private static final int ORDERS_MAX = 4;

    /** Among more than these there is nearly always another way. */
    private static final int REORDERED_MAX = 100;

    /** More stops than this at a time are seldom wanted; the next plan goes on. */
    private static final int SEARCHES_MAX = 50;

    /** Keeps the plan of a large cluster short. */
    private static final int LOOKS_MAX = 100_000;

    private final StartingPoint point;

    /** Each candidate is asked for it. */
    private final boolean hasQuotas;

    private final Room future;
    private final Tally tally;

    /** Beside which room is to be made. */
    private final ReservedPlace reserved;

    private final Set<JobId> spared;

    /** These are made when somebody first asks. */
    private Candidates candidates;

    private Tally.Account[] owners;
    private Tally.Account[] projects;

    /** By the index of a candidate, whether it is to be stopped already, or not at all. */
    private boolean[] isTaken;

    /** A node, and what stopping enough of its candidates costs at least. */
    private record Offer(String node, Price least) implements Comparable<Offer> {
        @Override
        public int compareTo(Offer other) {
            int byPrice = least.compareTo(other.least);
            return byPrice != 0 ? byPrice : node.compareTo(other.node);
        }
    }

    /**
     * @param spared who is not to be stopped in any case
     */
    Victims(
            StartingPoint point,
            Room future,
            Tally tally,
            ReservedPlace reserved,
            Set<JobId> spared) {
        this.spared = spared;
        this.point = point;
        this.hasQuotas = point.view().rules().hasQuotas();
        this.future = future;
        this.tally = tally;
        this.reserved = reserved;
    }

    private Candidates candidates() {
        if (candidates != null) return candidates;
        candidates = point.candidates();
        owners = candidates.owners().stream().map(tally::owner).toArray(Tally.Account[]::new);
        projects = candidates.projects().stream().map(tally::project).toArray(Tally.Account[]::new);
        isTaken = new boolean[candidates.all().size()];
        for (Candidate each : candidates.all()) {
            JobId id = each.job().id();
            isTaken[each.index()] = point.isGone(id) || spared.contains(id);
        }
        return candidates;
    }

    /** How often it may be asked in one plan: each time every candidate is looked at. */
    int searchesMax() {
        return Math.clamp(LOOKS_MAX / Math.max(1, point.activeJobs()), 5, SEARCHES_MAX);
    }

    /** When time alone will make another job a candidate. */
    Optional<Instant> nextCandidate() {
        return candidates().next();
    }

    /**
     * The jobs to stop for this one, as few as possible; none when that would not help, or while
     * one of them runs undisturbed. Their room and their share of the tally are given back at once.
     */
    List<Candidate> choose(Line.Standing turn) {
        return choose(taker(turn, false));
    }

    /** The same of its own project; interactive work may need others besides. */
    List<Candidate> chooseForQuota(Line.Standing turn) {
        List<Candidate> chosen = choose(taker(turn, true));
        boolean isAll = !chosen.isEmpty() || !turn.job().spec().interactive();
        return isAll ? chosen : choose(turn);
    }

    private List<Candidate> choose(Taker taker) {
        JobSpec spec = taker.job.spec();
        List<Candidate> all = candidates().all();
        if (isQuotaOutOfReach(taker)) return List.of();
        BooleanSupplier fits = () -> hasQuota(taker) && fits(spec);
        List<Candidate> chosen = List.of();
        if (!spec.interactive() || !fits(spec)) {
            chosen = spec.tasks() == 1 ? forOneTask(taker, fits) : forGang(taker, fits);
        }
        // Its node may have room then, and only the quota have none.
        if (chosen.isEmpty() && spec.interactive()) {
            chosen = among(all, taker, Price.ANY, fits);
        }
        if (!chosen.stream().allMatch(Candidate::isDisturbable)) return List.of();
        for (Candidate each : chosen) {
            giveBack(each);
            isTaken[each.index()] = true;
        }
        return chosen;
    }

    /** Whether the tally leaves it the quota that it needs to start, or that it looks for. */
    private boolean hasQuota(Taker taker) {
        return !taker.needsQuota() || tally.isEntitled(taker.job);
    }

    /**
     * What must come free of its project's quota; nothing where it needs none. Who may be stopped
     * now is no longer so for sure once others are, so this is a quick no and never a yes.
     */
    private long missingQuota(Taker taker) {
        return taker.needsQuota() ? Math.max(0, tally.beyondQuota(taker.job.spec())) : 0;
    }

    private boolean isQuotaOutOfReach(Taker taker) {
        long missing = missingQuota(taker);
        if (missing == 0) return false;
        String owner = taker.job.owner();
        // By the index of an owner: whoever gives still holds more than stands before the taker.
        long[] given = new long[owners.length];
        for (Candidate candidate : candidates.in(taker.job.spec().project())) {
            long freed = quotaFreed(taker, candidate);
            if (freed == 0) continue;
            int giver = candidate.owner();
            if (!candidate.job().owner().equals(owner)) {
                freed = Math.min(freed, owners[giver].held() - taker.after - 1 - given[giver]);
            }
            given[giver] += freed;
            missing -= freed;
            if (missing <= 0) return false;
        }
        return true;
    }

    private long quotaFreed(Taker taker, Candidate candidate) {
        boolean isOwn = projects[candidate.project()] == taker.project;
        if (!isOwn || isTaken[candidate.index()] || !mayTake(taker, candidate)) return 0;
        return candidate.milliGpus();
    }

    Plan.Preempt preempt(Candidate victim, Job job, boolean isEntitled) {
        String others = victim.job().spec().project();
        String project = job.spec().project();
        boolean takesBack = isEntitled && hasQuotas && !others.equals(project);
        String why =
                takesBack
                        ? "project "
                                + project
                                + " takes back what project "
                                + others
                                + " had borrowed"
                        : victim.job().owner().equals(job.owner())
                                ? "its owner's interactive job goes before it"
                                : job.owner() + " holds fewer GPUs than " + victim.job().owner();
        return new Plan.Preempt(victim.job().id(), job.id(), why);
    }

    /**
     * Stops on another node give a single task no room, but they may give its project's quota back:
     * then those of the project count wherever they run.
     */
    private List<Candidate> forOneTask(Taker taker, BooleanSupplier fits) {
        List<Candidate> onOneNode = onOneNode(taker);
        if (!taker.isInProject || missingQuota(taker) == 0) return onOneNode;
        Price most = onOneNode.isEmpty() ? Price.ANY : Price.of(onOneNode);
        List<Candidate> ofProject = candidates.in(taker.job.spec().project());
        List<Candidate> anywhere = among(ofProject, taker, most, fits);
        return Price.isLess(anywhere, onOneNode) ? anywhere : onOneNode;
    }

    /** On the node where it costs least: stops elsewhere would not help a single task. */
    private List<Candidate> onOneNode(Taker taker) {
        Resources ask = taker.job.spec().roles().getFirst().resources();
        List<Candidate> best = List.of();
        Price least = Price.ANY;
        PriorityQueue<Offer> offers = offers(taker);
        // Those that cost least come first, so the rest is no better.
        while (!offers.isEmpty() && offers.element().least().compareTo(least) < 0) {
            Candidates.Site site = candidates.site(offers.remove().node());
            BooleanSupplier fits = () -> hasQuota(taker) && fitsOn(site.node(), ask);
            List<Candidate> here = site.locals().stream().map(Candidates.Local::candidate).toList();
            List<Candidate> chosen = among(here, taker, least.orMoreWork(), fits);
            if (!Price.isLess(chosen, best)) continue;
            best = chosen;
            least = Price.of(chosen);
        }
        return best;
    }

    /** Counts GPUs alone, which is quick: most nodes need no closer look. */
    private PriorityQueue<Offer> offers(Taker taker) {
        Resources ask = taker.job.spec().roles().getFirst().resources();
        boolean isWhole = ask.part() instanceof GpuPart.Whole;
        int wanted = isWhole ? ask.gpus() : 1;
        long missing = missingQuota(taker);
        var offers = new ArrayList<Offer>();
        Collection<Candidates.Site> sites =
                taker.isInProject
                        ? candidates.sites(taker.job.spec().project())
                        : candidates.sites();
        for (Candidates.Site site : sites) {
            if (missing > 0 && isQuotaOutOfReach(site, taker, missing)) continue;
            int gpus = isWhole ? future.freeGpus(site.node()) : 0;
            for (Candidates.Local local : site.locals()) {
                Candidate candidate = local.candidate();
                if (isTaken[candidate.index()] || !mayTake(taker, candidate)) continue;
                gpus += local.gpus();
                if (gpus >= wanted) {
                    offers.add(
                            new Offer(site.node(), new Price(candidate.rank(), candidate.lost())));
                    break;
                }
            }
        }
        return new PriorityQueue<>(offers);
    }

    private boolean isQuotaOutOfReach(Candidates.Site site, Taker taker, long missing) {
        long freed = 0;
        for (Candidates.Local local : site.locals()) {
            freed += quotaFreed(taker, local.candidate());
        }
        return freed < missing;
    }

    /** Small ones first where the order of ranks leads nowhere: so more of them may be asked. */
    private List<Candidate> forGang(Taker taker, BooleanSupplier fits) {
        boolean[] isUseful = useful(taker);
        List<Candidate> byRank = only(candidates.all(), isUseful);
        List<Candidate> chosen = among(byRank, taker, Price.ANY, fits);
        if (!chosen.isEmpty()) return chosen;
        return among(only(candidates.bySize(), isUseful), taker, Price.ANY, fits);
    }

    private static List<Candidate> only(List<Candidate> some, boolean[] isMeant) {
        var only = new ArrayList<Candidate>();
        for (Candidate each : some) if (isMeant[each.index()]) only.add(each);
        return only;
    }

    /**
     * By the index of a candidate, whether it is on a node that could then hold a task: other stops
     * would not help a gang, but for its project's if the quota is lacking too.
     */
    private boolean[] useful(Taker taker) {
        boolean[] isUseful = new boolean[candidates.all().size()];
        boolean lacksQuota = missingQuota(taker) > 0;
        for (Candidates.Site site : candidates.sites()) {
            int gpus = future.freeGpus(site.node());
            for (Candidates.Local local : site.locals()) {
                if (mayTake(taker, local.candidate())) gpus += local.gpus();
            }
            boolean isRoom = couldHoldTask(site.node(), taker.job.spec(), gpus);
            for (Candidates.Local local : site.locals()) {
                Candidate each = local.candidate();
                boolean isQuota = lacksQuota && projects[each.project()] == taker.project;
                if (isRoom || isQuota) isUseful[each.index()] = true;
            }
        }
        return isUseful;
    }

    private boolean couldHoldTask(String node, JobSpec spec, int gpus) {
        for (Role role : spec.roles()) {
            Resources ask = role.resources();
            if (ask.gpus() <= gpus && point.ifEmpty().fitsOn(node, ask)) return true;
        }
        return false;
    }

    /**
     * The fewest of these, in their order; none where that takes from somebody who has less than
     * this price says. Leaves everything as it was.
     */
    private List<Candidate> among(
            List<Candidate> some, Taker taker, Price most, BooleanSupplier enough) {
        var asked = new ArrayList<Candidate>();
        var refused = new ArrayList<Candidate>();
        List<Candidate> chosen = inOrder(some, taker, most, enough, asked, refused);
        if (refused.isEmpty() || some.size() > REORDERED_MAX) return chosen;
        if (!chosen.isEmpty()) {
            asked.removeAll(chosen);
            return asked.isEmpty() ? chosen : without(asked, some, taker, chosen, enough);
        }
        for (List<Candidate> others : otherOrders(some, asked, refused)) {
            chosen = inOrder(others, taker, most, enough, new ArrayList<>(), new ArrayList<>());
            if (!chosen.isEmpty()) break;
        }
        return chosen.stream().sorted(Comparator.comparingInt(Candidate::index)).toList();
    }

    /**
     * Whoever was asked without need may be why another was refused whom its owner gives before.
     */
    private List<Candidate> without(
            List<Candidate> needless,
            List<Candidate> some,
            Taker taker,
            List<Candidate> chosen,
            BooleanSupplier enough) {
        var others = new ArrayList<>(some);
        others.removeAll(needless);
        List<Candidate> again =
                inOrder(others, taker, Price.ANY, enough, new ArrayList<>(), new ArrayList<>());
        return Price.isLess(again, chosen) ? again : chosen;
    }

    /**
     * @param asked gets those who would have been asked to stop
     * @param refused gets those who might not be asked after them
     */
    private List<Candidate> inOrder(
            List<Candidate> some,
            Taker taker,
            Price most,
            BooleanSupplier enough,
            List<Candidate> asked,
            List<Candidate> refused) {
        boolean fits = false;
        for (Candidate candidate : some) {
            // The last one chosen is always needed, so nothing cheaper comes behind it.
            if (candidate.rank() < most.lowestRank() || asked.size() == CHOSEN_MAX) break;
            if (isTaken[candidate.index()]) continue;
            if (!mayTake(taker, candidate)) {
                if (!asked.isEmpty()) refused.add(candidate);
                continue;
            }
            giveBack(candidate);
            asked.add(candidate);
            fits = enough.getAsBoolean();
            if (fits) break;
        }
        var chosen = new ArrayList<>(asked);
        if (fits) spareTheNeedless(chosen, enough);
        chosen.forEach(this::keep);
        return fits ? chosen : List.of();
    }

    /**
     * Who was asked in vain may be why another could not be asked any more: so that one comes
     * first, or the last of the others is left out.
     */
    private static List<List<Candidate>> otherOrders(
            List<Candidate> some, List<Candidate> asked, List<Candidate> refused) {
        var orders = new ArrayList<List<Candidate>>();
        for (Candidate each : refused.subList(0, Math.min(refused.size(), ORDERS_MAX))) {
            var order = new ArrayList<>(some);
            order.remove(each);
            order.addFirst(each);
            orders.add(order);
        }
        for (Candidate each : asked.reversed().subList(0, Math.min(asked.size(), ORDERS_MAX))) {
            var order = new ArrayList<>(some);
            order.remove(each);
            orders.add(order);
        }
        return orders;
    }

    /**
     * Who asks for stops.
     *
     * @param after how many thousandths of GPUs its owner holds or has ahead of it
     * @param isInProject whether it looks in its own project alone
     */
    private record Taker(
            Job job, Tally.Account project, boolean isEntitled, long after, boolean isInProject) {
        boolean needsQuota() {
            return isInProject || job.spec().interactive();
        }
    }

    private Taker taker(Line.Standing turn, boolean isInProject) {
        Job job = turn.job();
        return new Taker(
                job,
                tally.project(job.spec().project()),
                tally.isEntitled(job),
                turn.after(),
                isInProject);
    }

    private boolean mayTake(Taker taker, Candidate victim) {
        Tally.Account project = projects[victim.project()];
        if (taker.isInProject && project != taker.project) return false;
        if (!victim.isDisturbable() && !isWorthWaitingFor(victim.job(), taker.job)) return false;
        boolean isOthers = project != taker.project && hasQuotas;
        if (isOthers && !project.isOverQuota()) return false;
        if (isOthers && taker.isEntitled) return true;
        // Otherwise the victim would have a right to its place at once.
        if (isOthers && !project.fillsQuotaWithout(victim.milliGpus())) return false;
        if (victim.job().owner().equals(taker.job.owner())) return taker.job.spec().interactive();
        if (!isOthers && isInsideQuota(taker, project)) return false;
        return taker.after < owners[victim.owner()].held() - victim.milliGpus();
    }

    /** Whether those of the taker's project come before one that borrows. */
    private static boolean isInsideQuota(Taker taker, Tally.Account project) {
        return !taker.isEntitled && !taker.isInProject && !project.isOverQuota();
    }

    /** Who started later does not prolong the wait: somebody always does. */
    private static boolean isWorthWaitingFor(Job undisturbed, Job waiting) {
        Instant started = ((JobState.Active) undisturbed.state()).since();
        return !started.isAfter(((JobState.Queued) waiting.state()).since());
    }

    /** Those that should be stopped last first. */
    private void spareTheNeedless(List<Candidate> chosen, BooleanSupplier enough) {
        for (Candidate victim : List.copyOf(chosen).reversed()) {
            keep(victim);
            if (enough.getAsBoolean()) chosen.remove(victim);
            else giveBack(victim);
        }
    }

    private boolean fits(JobSpec spec) {
        return reserved.fitsBeside(spec, future);
    }

    private boolean fitsOn(String node, Resources ask) {
        return reserved.fitsBesideOn(node, ask, future);
    }

    private void giveBack(Candidate victim) {
        future.release(victim.job());
        reserved.release(victim.job());
        tally.remove(victim.job());
    }

    private void keep(Candidate victim) {
        future.hold(victim.job());
        reserved.hold(victim.job());
        tally.add(victim.job());
    }
}
