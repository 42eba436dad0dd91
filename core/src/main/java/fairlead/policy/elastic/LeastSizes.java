package fairlead.policy.elastic;

import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;
import fairlead.policy.Plan;
import fairlead.policy.Room;
import fairlead.policy.Tally;
import fairlead.policy.fair.Fair;
import fairlead.policy.fair.Promises;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster as if training jobs had asked for the fewest GPUs that they can go on with, and held
 * each further one by a job of its own. So the fair rule, which knows only whole jobs, says who has
 * to become smaller for whom: one's first GPU goes before anyone's second, also where the second is
 * one of four that a single job holds.
 *
 * <p>Example: ann's job holds 4 GPUs and can go on with 1; here she has four jobs of 1. Bob waits
 * for 1: the rule takes one of the three further ones, and so ann's job is asked to stop and to go
 * on with fewer.
 */
final class LeastSizes {
    /** How often sizes are tried: each time costs as much as the plan. */
    private static final int LARGER_MAX = 4;

    private final View view;

    /** By the name of a further GPU here, the job that holds it. */
    private final Map<JobId, JobId> holders = new HashMap<>();

    /**
     * @param asked for whom those who wait ask for more than the least, and how many GPUs
     */
    private LeastSizes(View real, Map<JobId, Integer> asked) {
        var active = new ArrayList<Job>();
        for (Job job : real.active()) {
            List<Share> kept = kept(job, real);
            if (kept.isEmpty()) active.add(job);
            else divide(job, kept, active);
        }
        active.sort(Comparator.comparing(Job::id));
        var queues = new ArrayList<OwnerQueue>();
        for (OwnerQueue queue : real.queues()) queues.add(asking(queue, asked));
        view =
                new View(
                        real.now(),
                        real.nodes(),
                        queues,
                        active,
                        real.foresight(),
                        real.rules(),
                        real.guests());
    }

    /**
     * What the fair rule says.
     *
     * @param helped those who wait and for whom others are to stop or to become smaller
     */
    record Rule(Plan plan, Set<JobId> helped) {}

    private static Set<JobId> started(Plan plan) {
        return plan.starts().stream().map(Plan.Start::job).collect(Collectors.toSet());
    }

    /**
     * By the fair rule each who waits has the least that it asks for before anyone has more; what
     * is then left beside those who start goes to them, as far as nobody else starts later for it.
     */
    static Rule rule(View view, Fair fair) {
        Map<JobId, Integer> promised = promised(view);
        Rule least = rule(view, promised, fair);
        // Nor is more than the least kept for somebody where it is another's turn by now.
        if (!promised.isEmpty() && giveUp(takenBack(view, least.plan, fair), promised, view)) {
            least = rule(view, promised, fair);
        }
        Map<JobId, Integer> larger = larger(view, least.plan, promised);
        for (int i = 0; i < LARGER_MAX && !larger.equals(promised); i++) {
            Rule more = rule(view, larger, fair);
            boolean isForAll =
                    started(more.plan).containsAll(started(least.plan))
                            && more.helped.equals(least.helped);
            if (!isForAll) return least;
            Map<JobId, Integer> taken = takenBack(view, more.plan, fair);
            if (taken.isEmpty()) return more;
            larger.replaceAll(
                    (job, gpus) ->
                            Math.max(
                                    promised.getOrDefault(job, 1),
                                    gpus - taken.getOrDefault(job, 0)));
        }
        return least;
    }

    /** Whether anybody asks for fewer GPUs now. */
    private static boolean giveUp(Map<JobId, Integer> taken, Map<JobId, Integer> asked, View view) {
        Map<JobId, Job> waiting = Elastic.queued(view);
        boolean isAny = asked.keySet().stream().anyMatch(taken::containsKey);
        asked.replaceAll(
                (job, gpus) ->
                        Math.max(least(waiting.get(job)), gpus - taken.getOrDefault(job, 0)));
        return isAny;
    }

    /**
     * By those who start, how many of their GPUs the rule would take for others who wait, once it
     * may: what they start with moves their owner's next jobs back, and so it may be another's turn
     * only then.
     *
     * <p>Example: ann waits with jobs of 1 to 3 and of 4 GPUs, bob with one of 2, and 4 are free.
     * Ann's second stands before bob's while her first has only 1, and finds no room. With 3 it
     * stands behind: so the first takes 2, and bob starts.
     */
    static Map<JobId, Integer> takenBack(View view, Plan plan, Fair fair) {
        Set<JobId> started = started(plan);
        boolean isAnyoneElseThere = Elastic.queued(view).size() > started.size();
        // Where somebody is to make room, whoever waits for it need not have it here.
        if (!isAnyoneElseThere || !plan.preempts().isEmpty()) return Map.of();
        Duration young = view.rules().undisturbed();
        if (young.compareTo(Elastic.ROUND) < 0) young = Elastic.ROUND;
        View later = Elastic.after(view, plan, Plan.NOTHING, view.now().plus(young));
        var sizes = new LeastSizes(givenOnlyBy(started, later), Map.of());
        Map<JobId, Integer> taken = new HashMap<>();
        if (sizes.holders.isEmpty()) return taken;
        for (Plan.Preempt stop : sizes.bySizesAlone(fair.plan(sizes.view)).preempts()) {
            taken.merge(sizes.holders.get(stop.victim()), 1, Integer::sum);
        }
        return taken;
    }

    /** As if nobody but these might be asked to stop. */
    private static View givenOnlyBy(Set<JobId> some, View view) {
        return active(view, job -> some.contains(job.id()) ? job : unstoppable(job));
    }

    /** Who has stopped asks for the least too, and so may be inside its quota again. */
    private static View returningWithLeast(View view) {
        return active(view, job -> asking(job, Map.of()));
    }

    private static View active(View view, UnaryOperator<Job> each) {
        return new View(
                view.now(),
                view.nodes(),
                view.queues(),
                view.active().stream().map(each).toList(),
                view.foresight(),
                view.rules(),
                view.guests());
    }

    /** By a change of sizes where that is enough, otherwise by stops, and by both if need be. */
    private static Rule rule(View view, Map<JobId, Integer> asked, Fair fair) {
        var sizes = new LeastSizes(view, asked);
        Plan divided = sizes.holders.isEmpty() ? Plan.NOTHING : fair.plan(sizes.view);
        Plan smaller = sizes.bySizesAlone(divided);
        if (!smaller.preempts().isEmpty()) return sizes.rule(smaller);
        Plan stops = fair.plan(returningWithLeast(view).waiting(sizes.view.queues()));
        if (!stops.preempts().isEmpty()) return new Rule(stops, helped(stops));
        Plan both = sizes.bySizesAndStops(divided);
        return both.preempts().isEmpty() ? new Rule(stops, Set.of()) : sizes.rule(both);
    }

    private Rule rule(Plan plan) {
        return new Rule(real(plan), helped(plan));
    }

    private static Set<JobId> helped(Plan plan) {
        return plan.preempts().stream().map(Plan.Preempt::beneficiary).collect(Collectors.toSet());
    }

    /**
     * Without those for whom whole jobs would have to stop too: whether an owner would rather give
     * a training job as a whole is not to be seen here.
     */
    private Plan bySizesAlone(Plan plan) {
        return helping(plan, job -> stopsFor(job, plan).allMatch(holders::containsKey));
    }

    /** Only those for whom somebody is to become smaller, and perhaps others to stop. */
    private Plan bySizesAndStops(Plan plan) {
        return helping(plan, job -> stopsFor(job, plan).anyMatch(holders::containsKey));
    }

    private static Stream<JobId> stopsFor(JobId beneficiary, Plan plan) {
        return plan.preempts().stream()
                .filter(stop -> stop.beneficiary().equals(beneficiary))
                .map(Plan.Preempt::victim);
    }

    private static Plan helping(Plan plan, Predicate<JobId> whom) {
        Set<JobId> helped = helped(plan).stream().filter(whom).collect(Collectors.toSet());
        List<Plan.Preempt> stops =
                plan.preempts().stream()
                        .filter(stop -> helped.contains(stop.beneficiary()))
                        .toList();
        return new Plan(plan.starts(), stops, plan.wake());
    }

    /** Those for whom others have stopped have what these were asked for, where it is still so. */
    private static Map<JobId, Integer> promised(View view) {
        Map<JobId, Integer> promised = new HashMap<>();
        List<Job> kept = new Promises(view).kept();
        if (kept.isEmpty()) return promised;
        var room = Room.now(view);
        var tally = new Tally(view);
        for (Job job : view.active()) {
            if (!(job.state() instanceof JobState.Stopping)) continue;
            room.release(job);
            tally.remove(job);
        }
        // Nobody's more goes before another's least.
        Map<Job, Placement> seated = new LinkedHashMap<>();
        for (Job job : kept) {
            Job least = asking(job, Map.of());
            Optional<Placement> seat = room.take(least.spec());
            if (seat.isEmpty()) continue;
            seated.put(job, seat.get());
            tally.add(least);
        }
        seated.forEach(
                (job, place) -> {
                    Job least = asking(job, Map.of());
                    room.giveBack(least.spec(), place);
                    tally.remove(least);
                    // Nor does it leave its quota, or those inside theirs would be served before.
                    boolean staysInside = !tally.isEntitled(least) || tally.isEntitled(job);
                    boolean hasAll = staysInside && room.take(job.spec()).isPresent();
                    if (!hasAll) room.takeWhatIsFree(least.spec(), place);
                    else if (TrainingJobs.isTrainee(job)) promised.put(job.id(), job.spec().gpus());
                    tally.add(hasAll ? job : least);
                });
        return promised;
    }

    private static Map<JobId, Integer> larger(View view, Plan plan, Map<JobId, Integer> promised) {
        Map<JobId, Job> waiting = Elastic.queued(view);
        var room = Room.now(view);
        for (Plan.Start start : plan.starts()) {
            JobSpec spec = Elastic.sized(waiting.get(start.job()), start.placement());
            room.takeWhatIsFree(spec, start.placement());
        }
        Map<JobId, Integer> larger = new HashMap<>(promised);
        for (Plan.Start start : plan.starts()) {
            Job job = waiting.get(start.job());
            JobSpec now = Elastic.sized(job, start.placement());
            if (now.gpus() >= job.spec().gpus()) continue;
            room.giveBack(now, start.placement());
            for (int gpus = job.spec().gpus(); gpus >= now.gpus(); gpus--) {
                if (room.take(job.spec().sized(1, gpus, GpuPart.WHOLE)).isEmpty()) continue;
                if (gpus > now.gpus()) larger.put(job.id(), gpus);
                break;
            }
        }
        return larger;
    }

    private static int least(Job job) {
        return Math.max(1, job.spec().training().orElseThrow().gpusMin());
    }

    private static OwnerQueue asking(OwnerQueue queue, Map<JobId, Integer> asked) {
        return new OwnerQueue(
                queue.owner(),
                queue.milliGpusHeld(),
                queue.cpuJobsHeld(),
                queue.gpuJobs().stream().map(job -> asking(job, asked)).toList(),
                queue.cpuJobs(),
                queue.gpuJobEnded());
    }

    private static Job asking(Job job, Map<JobId, Integer> asked) {
        if (!TrainingJobs.isTrainee(job)) return job;
        int gpus = asked.getOrDefault(job.id(), least(job));
        boolean isAsked = gpus == job.spec().training().orElseThrow().gpus();
        return isAsked ? job : job.asking(asking(job.spec(), gpus));
    }

    private static JobSpec asking(JobSpec spec, int gpus) {
        Training training = spec.training().orElseThrow();
        return spec.withTraining(training.asking(gpus));
    }

    /** The GPUs with which it can go on; none if it must keep all, or does not stop when asked. */
    private static List<Share> kept(Job job, View view) {
        if (!TrainingJobs.isSettled(job, view) || job.spec().gpus() <= least(job)) return List.of();
        List<Share> first = placement(job).tasks().getFirst().shares();
        return first.size() < least(job) ? List.of() : first.subList(0, least(job));
    }

    private static Placement placement(Job job) {
        return ((JobState.Active) job.state()).attempt().placement();
    }

    private void divide(Job job, List<Share> kept, List<Job> active) {
        List<TaskPlacement> tasks = placement(job).tasks();
        TaskPlacement first = tasks.getFirst();
        JobSpec least = asking(job.spec(), kept.size());
        active.add(keeping(job, least, new TaskPlacement(first.task(), first.node(), kept)));
        // What goes with a GPU is given up only when the job itself stops.
        var gpu = new Resources(1, GpuPart.WHOLE, Optional.empty(), 0, 0);
        JobSpec one = asking(job.spec(), 1).withRoles(role -> role.asking(gpu));
        for (TaskPlacement task : tasks) {
            for (Share share : task.shares()) {
                if (task == first && kept.contains(share)) continue;
                // Behind the job's own name, so that among equals these are given first.
                var id = new JobId("%s_0_%08x".formatted(job.id(), holders.size()));
                holders.put(id, job.id());
                var place = new TaskPlacement(first.task(), task.node(), List.of(share));
                active.add(further(job, id, one, place));
            }
        }
    }

    /** It cannot stop while its further GPUs go on, so it looks like one that nobody may stop. */
    private static Job keeping(Job job, JobSpec spec, TaskPlacement place) {
        Attempt attempt = attempt(job, job.id(), place);
        Instant since = ((JobState.Active) job.state()).since();
        return job.portion(job.id(), spec, new JobState.Starting(attempt, since, Map.of()));
    }

    private static Job unstoppable(Job job) {
        if (!(job.state() instanceof JobState.Running running)) return job;
        var starting = new JobState.Starting(running.attempt(), running.since(), Map.of());
        return job.portion(job.id(), job.spec(), starting);
    }

    private static Job further(Job job, JobId id, JobSpec spec, TaskPlacement place) {
        Attempt attempt = attempt(job, id, place);
        Instant since = ((JobState.Active) job.state()).since();
        return job.portion(id, spec, new JobState.Running(attempt, since, Map.of()));
    }

    private static Attempt attempt(Job job, JobId id, TaskPlacement place) {
        return new Attempt(new AttemptId(id, job.attempts()), new Placement(List.of(place)));
    }

    /** The plan for this cluster as one for the real jobs: who gives some of its GPUs goes on. */
    private Plan real(Plan plan) {
        Set<JobId> smaller = new HashSet<>();
        var preempts = new ArrayList<Plan.Preempt>();
        for (Plan.Preempt stop : plan.preempts()) {
            JobId job = holders.get(stop.victim());
            if (job == null) preempts.add(stop);
            else if (smaller.add(job)) preempts.add(smaller(job, stop.beneficiary()));
        }
        return new Plan(plan.starts(), preempts, plan.wake());
    }

    private static Plan.Preempt smaller(JobId job, JobId whom) {
        return new Plan.Preempt(job, job, "it goes on with fewer GPUs, to make room for " + whom);
    }
}
