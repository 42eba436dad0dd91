package fairlead.policy.fair;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One's first GPU goes before anyone's second, the second before anyone's third. A project's quota
 * is guaranteed; what is idle beyond it is lent to training jobs and taken back when its owner has
 * a job for it. All tasks of a job start together or none does, and nobody behind a waiting job
 * delays it.
 *
 * <p>Goals in order of rank: never break a promise (quota, gang, interactive work inside its
 * quota); be fair; waste no finished work; then shorten everybody's completion time.
 *
 * <p>A job stands at the number of its first GPU, counted over what its owner holds and has ahead
 * of it; among equals whoever has waited longest goes first: since the submit, or since a job of
 * the same owner ended. The first that finds no room is given a {@link Reservation}, and {@link
 * Victims} says who may be stopped for it.
 *
 * <p>Example: ann holds 2 GPUs and waits for 1 more, so that job stands at 3. Bob holds none and
 * waits with a job of 4 and a job of 1: they stand at 1 and at 5. The line is bob's 4, ann's 1,
 * bob's 1.
 */
public final class Fair implements Policy {
    /** That stops would be in vain is rare, and finding out costs a pass. */
    private static final int REHEARSALS_MAX = 4;

    /**
     * The first in line are tried; a plan is made anew at each change, so the others' time comes.
     */
    private static final int OTHER_STOPS_MAX = 2;

    /** How often others are looked for, if those that cost least would stop in vain. */
    private static final int OTHER_VICTIMS_MAX = 3;

    /** Where more run, others are looked for once: it takes long, and one of many mostly helps. */
    private static final int FEW_JOBS = 100;

    /** Nor in place of more than these: so many others are hardly ever found. */
    private static final int REPLACED_MAX = 20;

    @Override
    public Plan plan(View view) {
        return tried(view).plan();
    }

    @Override
    public List<Explanation> explain(View view) {
        TriedPlan tried = tried(view);
        List<Explanation> all = new FairPass(tried.point(), tried.stops()).explain();
        return tried.held().isEmpty() ? all : all.stream().map(tried::explain).toList();
    }

    /**
     * A plan that keeps what was promised.
     *
     * @param stops for whom others may be stopped in it, and who
     * @param held who could start, but would take the place of somebody for whom others stop
     */
    private record TriedPlan(
            StartingPoint point, Plan plan, FairPass.Stops stops, Map<JobId, Obstacle> held) {
        /** What is in vain now may help when time makes somebody else one who may be stopped. */
        TriedPlan waking(Optional<Instant> next) {
            if (plan.wake().isPresent()) return this;
            var waking = new Plan(plan.starts(), plan.preempts(), next);
            return new TriedPlan(point, waking, stops, held);
        }

        Explanation explain(Explanation each) {
            Obstacle obstacle = held.get(each.job());
            return obstacle == null
                    ? each
                    : new Explanation(each.job(), each.place(), List.of(obstacle));
        }
    }

    /**
     * Nobody is stopped for a job that does not start then. Who is stopped holds less and waits
     * again, so others may then stand before the one it was meant for.
     */
    private static TriedPlan tried(View view) {
        var point = new StartingPoint(view);
        var vain = new VainStops(point);
        Map<JobId, List<JobId>> inVain = new LinkedHashMap<>();
        Set<Search> searchedInVain = new HashSet<>();
        Predicate<Job> isUntried =
                job ->
                        searchedInVain.isEmpty()
                                || !searchedInVain.contains(Search.of(job, point.tally()));
        Predicate<Job> mayTake = isUntried;
        Set<JobId> together = new HashSet<>();
        Set<String> patient = new HashSet<>();
        Optional<Instant> next = Optional.empty();
        for (int i = 0; i < REHEARSALS_MAX; i++) {
            var stops = new FairPass.Stops(mayTake, Set.copyOf(patient), Set.of(), true);
            FairPass.Draft draft = new FairPass(point, stops).draft();
            if (i == 0) next = draft.plan().wake();
            Set<JobId> stillWaiting = vain.inVain(draft);
            if (stillWaiting.isEmpty() && draft.stopped().isEmpty() && mayTake != isUntried) {
                // Those who were left had gained only beside the others.
                mayTake = isUntried;
                continue;
            }
            if (stillWaiting.isEmpty()) {
                var tried = new TriedPlan(point, draft.plan(), stops, Map.of()).waking(next);
                return draft.stopped().isEmpty()
                        ? otherStops(inVain, together, point, vain).orElse(tried)
                        : fewerStops(draft, stops, FairPass::draft, point, vain)
                                .orElse(tried)
                                .waking(next);
            }
            // What an owner starts beside it may be what moves a job back behind others.
            if (patient.addAll(starters(draft, stillWaiting))) continue;
            Set<JobId> helped = new LinkedHashSet<>();
            draft.helped().forEach(job -> helped.add(job.id()));
            // Somebody to whom a place was promised already would lose it again.
            if (!helped.containsAll(stillWaiting)) break;
            helped.removeAll(stillWaiting);
            // One after another may be in vain, so the last try is for the first in line alone.
            if (i == REHEARSALS_MAX - 2 && helped.size() > 1) {
                helped.retainAll(Set.of(helped.iterator().next()));
            }
            if (draft.helped().size() > 1) together.addAll(stillWaiting);
            for (Job job : draft.helped()) {
                if (!stillWaiting.contains(job.id())) continue;
                inVain.put(job.id(), victims(draft.plan(), job.id()));
                searchedInVain.add(Search.of(job, point.tally()));
            }
            mayTake = helped.isEmpty() ? isUntried : job -> helped.contains(job.id());
        }
        return otherStops(inVain, together, point, vain)
                .orElseGet(() -> stoppingNobody(point, vain))
                .waking(next);
    }

    /**
     * The same for everyone with fewer stops, if there is such a plan: where a project has
     * borrowed, all of that is paid back for a part of its quota, and a place of it may do as well.
     */
    private static Optional<TriedPlan> fewerStops(
            FairPass.Draft draft,
            FairPass.Stops stops,
            Function<FairPass, FairPass.Draft> pass,
            StartingPoint point,
            VainStops vain) {
        boolean isWorthIt =
                draft.stopped().size() > draft.helped().size()
                        && point.activeJobs() <= FEW_JOBS
                        && draft.helped().stream().anyMatch(point.tally()::takesOfBorrowed);
        if (!isWorthIt) return Optional.empty();
        var few = new FairPass.Stops(stops.mayTake(), stops.patient(), stops.spared(), false);
        FairPass.Draft other = pass.apply(new FairPass(point, few));
        boolean isSame =
                other.stopped().size() < draft.stopped().size()
                        && other.helped().equals(draft.helped())
                        && other.started().equals(draft.started())
                        && vain.inVain(other).isEmpty();
        return isSame
                ? Optional.of(new TriedPlan(point, other.plan(), few, Map.of()))
                : Optional.empty();
    }

    private static List<JobId> victims(Plan plan, JobId beneficiary) {
        var victims = new ArrayList<JobId>();
        for (Plan.Preempt stop : plan.preempts()) {
            if (stop.beneficiary().equals(beneficiary)) victims.add(stop.victim());
        }
        return victims;
    }

    /**
     * Stops for one of those for whom the first choice was in vain, where nobody else is stopped:
     * others may do on another node, or the same if nobody stops for somebody else besides.
     *
     * @param inVain by the job that gains by it, who was to stop
     * @param together for whom it was in vain in a plan with stops for several
     */
    private static Optional<TriedPlan> otherStops(
            Map<JobId, List<JobId>> inVain,
            Set<JobId> together,
            StartingPoint point,
            VainStops vain) {
        boolean areFew = point.activeJobs() <= FEW_JOBS;
        for (JobId job : inVain.keySet().stream().limit(OTHER_STOPS_MAX).toList()) {
            if (!areFew && inVain.get(job).size() > REPLACED_MAX) continue;
            Optional<TriedPlan> kept = Optional.empty();
            if (together.contains(job)) kept = stopsFor(job, new HashSet<>(), point, vain);
            if (kept.isEmpty()) kept = stopsOfOthers(job, inVain.get(job), point, vain);
            if (kept.isPresent()) return kept;
        }
        return Optional.empty();
    }

    /** Where one of them does not stop, and then where none of them does. */
    private static Optional<TriedPlan> stopsOfOthers(
            JobId job, List<JobId> inVain, StartingPoint point, VainStops vain) {
        boolean areFew = point.activeJobs() <= FEW_JOBS;
        if (areFew && inVain.size() > 1) {
            // Who is asked last is the one that costs most.
            for (JobId one : inVain.reversed().stream().limit(OTHER_VICTIMS_MAX).toList()) {
                Optional<TriedPlan> kept = stopsFor(job, new HashSet<>(Set.of(one)), point, vain);
                if (kept.isPresent()) return kept;
            }
        }
        Set<JobId> spared = new HashSet<>(inVain);
        for (int i = 0; i < (areFew ? OTHER_VICTIMS_MAX : 1); i++) {
            int before = spared.size();
            Optional<TriedPlan> kept = stopsFor(job, spared, point, vain);
            if (kept.isPresent()) return kept;
            if (spared.size() == before) break;
        }
        return Optional.empty();
    }

    /**
     * The plan with stops for this job alone, if they help it.
     *
     * @param spared who is not asked; gets those who would have stopped in vain
     */
    private static Optional<TriedPlan> stopsFor(
            JobId id, Set<JobId> spared, StartingPoint point, VainStops vain) {
        var stops =
                new FairPass.Stops(job -> job.id().equals(id), Set.of(), Set.copyOf(spared), true);
        FairPass.Draft draft = new FairPass(point, stops).draftWithStopsFor(id);
        if (draft.stopped().isEmpty() || !vain.inVain(draft).isEmpty()) {
            draft.stopped().forEach(job -> spared.add(job.id()));
            return Optional.empty();
        }
        return fewerStops(draft, stops, pass -> pass.draftWithStopsFor(id), point, vain)
                .or(() -> Optional.of(new TriedPlan(point, draft.plan(), stops, Map.of())));
    }

    /** The owners of these for whom the draft starts something else. */
    private static Set<String> starters(FairPass.Draft draft, Set<JobId> jobs) {
        Set<String> owners = new HashSet<>();
        for (Job job : draft.helped()) if (jobs.contains(job.id())) owners.add(job.owner());
        Set<String> starters = new HashSet<>();
        for (Job job : draft.started()) starters.add(job.owner());
        owners.retainAll(starters);
        return owners;
    }

    /** Starts only so many of the first that all for whom others are stopping still start next. */
    private static TriedPlan stoppingNobody(StartingPoint point, VainStops vain) {
        FairPass.Draft kept = new FairPass(point, FairPass.Stops.NONE).draft();
        Map<JobId, Obstacle> held = new HashMap<>();
        // Who still has no place when all have stopped will not get it by keeping others waiting.
        while (!kept.started().isEmpty() && !point.stopping().isEmpty()) {
            Set<JobId> stillWaiting = vain.inVain(kept);
            if (stillWaiting.isEmpty()) break;
            var behind = new Obstacle.BehindInQueue(1, Collections.min(stillWaiting));
            // By halves, because each try costs a pass; and whoever is held back without need
            // waits no longer than the stops take.
            int half = kept.started().size() / 2;
            kept.started().stream().skip(half).forEach(job -> held.put(job.id(), behind));
            kept = kept.starting(half);
        }
        return new TriedPlan(point, kept.plan(), FairPass.Stops.NONE, held);
    }
}
