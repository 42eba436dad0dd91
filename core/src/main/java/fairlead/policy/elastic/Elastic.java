package fairlead.policy.elastic;

import fairlead.cluster.ClusterState;
import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Share;
import fairlead.job.Verdict;
import fairlead.policy.Capacity;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Plan;
import fairlead.policy.Policy;
import fairlead.policy.Room;
import fairlead.policy.Tally;
import fairlead.policy.fair.Fair;
import fairlead.policy.fair.Promises;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The fair order first; the GPUs that are then left go to training jobs, each as many as pay. Jobs
 * that do not train are planned as {@link Fair} plans them. While one of them waits for GPUs,
 * training jobs queue with the size that they asked for, and those that have grown beyond it give
 * back. When nobody else waits, {@link Sizes} shares out all GPUs that training jobs hold or could
 * hold: the owners' shares are fair, and inside them the sum of completion times is least. Whom
 * that leaves waiting is helped as {@link Fair} helps.
 *
 * <p>A training job changes its size by being stopped where its work is safe and started again. One
 * whose script has not reported in this attempt, or that has just started, is left alone.
 *
 * <p>Example: on 8 GPUs a job that runs twice as fast on 8 as on 4 has them all. A second job
 * comes, of the same kind: the first is asked to stop, and both go on with 4.
 */
public final class Elastic implements Policy {
    /** How often sizes are thought over; an attempt lives at least so long. */
    public static final Duration ROUND = Duration.ofMinutes(1);

    private final Fair fair = new Fair();

    @Override
    public boolean resizes() {
        return true;
    }

    @Override
    public Plan plan(View view) {
        if (!anyoneTrains(view)) return fair.plan(view);
        // Sizes are thought over again when those for whom others have stopped have started.
        if (!new Promises(view).kept().isEmpty()) {
            return withoutOvercrowding(view, LeastSizes.rule(view, fair).plan());
        }
        return waitsWithoutTraining(view)
                ? inOrder(view)
                : resized(view, () -> LeastSizes.rule(view, fair));
    }

    private static boolean anyoneTrains(View view) {
        return view.active().stream().anyMatch(TrainingJobs::isTrainee)
                || view.queues().stream()
                        .anyMatch(
                                queue ->
                                        queue.gpuJobs().stream().anyMatch(TrainingJobs::isTrainee));
    }

    private static boolean waitsWithoutTraining(View view) {
        return view.queues().stream()
                .anyMatch(queue -> !queue.gpuJobs().stream().allMatch(TrainingJobs::isTrainee));
    }

    private Plan inOrder(View view) {
        LeastSizes.Rule byRule = LeastSizes.rule(view, fair);
        Optional<Job> waiting = waitingWithoutTraining(view, byRule.plan());
        if (waiting.isPresent()) {
            return withoutOvercrowding(view, givingBack(view, byRule.plan(), waiting.get()));
        }
        return resized(view, () -> byRule);
    }

    /** Whoever waits, neighbours on a GPU must not suffer. */
    private static Plan withoutOvercrowding(View view, Plan plan) {
        var nodes = view.nodes().toArray(NodeState[]::new);
        var preempts = new ArrayList<>(plan.preempts());
        preempts.addAll(new GpuSharing(view, nodes, plan.preempts()).separate());
        return new Plan(plan.starts(), preempts, plan.wake());
    }

    /** The first job of a fixed kind that waits for room, and not for its project's quota. */
    private static Optional<Job> waitingWithoutTraining(View view, Plan plan) {
        Set<JobId> starting = new HashSet<>();
        for (Plan.Start start : plan.starts()) starting.add(start.job());
        var tally = new Tally(view);
        return view.queues().stream()
                .flatMap(queue -> queue.gpuJobs().stream())
                .filter(job -> !TrainingJobs.isTrainee(job) && !starting.contains(job.id()))
                .filter(job -> !((JobState.Queued) job.state()).notBefore().isAfter(view.now()))
                .filter(job -> !job.spec().interactive() || tally.isEntitled(job))
                .sorted(OwnerQueue.OWN_ORDER)
                .filter(job -> Capacity.neverFits(job.spec(), view).isEmpty())
                .findFirst();
    }

    /** The fair plan; if it stops nobody, those who have grown are asked to give back. */
    private Plan givingBack(View view, Plan inOrder, Job waiting) {
        if (!inOrder.preempts().isEmpty()) return inOrder;
        var room = Room.now(view);
        Map<JobId, Job> queued = queued(view);
        for (Plan.Start start : inOrder.starts()) {
            JobSpec spec = sized(queued.get(start.job()), start.placement());
            room.takeWhatIsFree(spec, start.placement());
        }
        for (Job job : view.active())
            if (job.state() instanceof JobState.Stopping) room.release(job);
        if (room.fits(waiting.spec())) return inOrder;
        var stopped = new ArrayList<Job>();
        for (Job job : view.active()) {
            if (!TrainingJobs.hasGrown(job) || !TrainingJobs.isSettled(job, view)) continue;
            room.release(job);
            stopped.add(job);
            if (room.fits(waiting.spec())) break;
        }
        Optional<Instant> soon = earlier(inOrder.wake(), Optional.of(view.now().plus(ROUND)));
        if (!room.fits(waiting.spec())) return new Plan(inOrder.starts(), List.of(), soon);
        for (Job job : List.copyOf(stopped)) {
            room.hold(job);
            if (room.fits(waiting.spec())) stopped.remove(job);
            else room.release(job);
        }
        var preempts =
                stopped.stream()
                        .map(
                                job ->
                                        new Plan.Preempt(
                                                job.id(),
                                                waiting.id(),
                                                "it has more GPUs than it asked for"))
                        .toList();
        var plan = new Plan(inOrder.starts(), preempts, inOrder.wake());
        // Who gives back keeps what was asked for: otherwise the next to stop is another's job for
        // it.
        Set<JobId> owed = new HashSet<>();
        owed.add(waiting.id());
        for (Job job : stopped) owed.add(job.id());
        return allStart(owed, after(view, plan, Plan.NOTHING))
                ? plan
                : new Plan(inOrder.starts(), List.of(), soon);
    }

    private boolean allStart(Set<JobId> owed, View view) {
        return fair.plan(view).starts().stream()
                .map(Plan.Start::job)
                .collect(Collectors.toSet())
                .containsAll(owed);
    }

    /**
     * Nobody starts with GPUs of a project that takes them back: what it borrows would fill the
     * quota that others stop for.
     */
    private Plan withoutHarm(View view, Plan others, Plan sizes) {
        if (others.preempts().isEmpty() || sizes.starts().isEmpty()) return sizes;
        Set<JobId> owed = new HashSet<>();
        for (Plan.Preempt stop : others.preempts()) owed.add(stop.beneficiary());
        return allStart(owed, after(view, sizes, others))
                ? sizes
                : new Plan(List.of(), List.of(), Optional.of(view.now().plus(ROUND)));
    }

    /**
     * @param byRule what the fair rule says, which is not always needed
     */
    private Plan resized(View view, Supplier<LeastSizes.Rule> byRule) {
        Plan others = fair.plan(withoutTrainees(view));
        Plan sizes = withoutHarm(view, others, sizes(view, others));
        var starts = new ArrayList<>(others.starts());
        starts.addAll(sizes.starts());
        var preempts = new ArrayList<>(others.preempts());
        preempts.addAll(sizes.preempts());
        Optional<Instant> wake = earlier(sizes.wake(), others.wake());
        return fairFirst(view, new Plan(starts, preempts, wake), byRule);
    }

    /** Nobody changes who would not get what it was stopped for: the next plan may think anew. */
    private Plan sizes(View view, Plan others) {
        var round = new TrainingRound(view, others);
        Plan plan = round.plan();
        if (plan.preempts().isEmpty()) return plan;
        // Nobody changes again so soon after a stop, so this plan asks for no further one.
        Plan next = plan(after(view, plan, others));
        Map<JobId, Integer> given = new HashMap<>();
        for (Plan.Start start : plan.starts()) given.put(start.job(), gpus(start.placement()));
        for (Plan.Start start : next.starts()) given.put(start.job(), gpus(start.placement()));
        Map<JobId, Integer> held = new HashMap<>();
        for (Job job : view.active()) held.put(job.id(), job.spec().gpus());
        boolean isKept =
                round.intended().keySet().stream()
                        .allMatch(
                                job ->
                                        given.containsKey(job)
                                                && !given.get(job).equals(held.get(job)));
        return isKept ? plan : new TrainingRound(view, others, false).plan();
    }

    private static int gpus(Placement placement) {
        return placement.tasks().stream().mapToInt(task -> task.shares().size()).sum();
    }

    /** When all who are to stop have stopped, and those who start have started. */
    private static View after(View view, Plan plan, Plan others) {
        return after(view, plan, others, view.now());
    }

    static View after(View view, Plan plan, Plan others, Instant then) {
        var state = ClusterState.of(view);
        Map<JobId, Job> jobs = queued(view);
        for (Job job : view.active()) jobs.put(job.id(), job);
        for (Plan.Preempt stop :
                Stream.of(plan, others).flatMap(each -> each.preempts().stream()).toList()) {
            Job job = jobs.get(stop.victim());
            AttemptId attempt = ((JobState.Active) job.state()).attempt().id();
            var asked =
                    new Event.PreemptRequested(view.now(), attempt, stop.beneficiary(), stop.why());
            var ended = new Event.AttemptEnded(view.now(), attempt, new Verdict.Lost("rehearsed"));
            Job after = JobMachine.next(JobMachine.next(job, asked), ended);
            state.change(Optional.of(job), Optional.of(after));
        }
        for (Plan.Start start :
                Stream.of(plan, others).flatMap(each -> each.starts().stream()).toList()) {
            Job job = jobs.get(start.job());
            var attempt =
                    new Attempt(new AttemptId(job.id(), job.attempts() + 1), start.placement());
            Job placed = JobMachine.next(job, new Event.AttemptPlaced(view.now(), attempt));
            var started = new Event.AttemptStarted(view.now(), attempt.id());
            Job running = JobMachine.next(placed, started);
            state.change(Optional.of(job), Optional.of(joined(running, attempt.id(), view)));
        }
        return state.view(then);
    }

    /** A script that trains is thought to report, as those do that change their sizes. */
    private static Job joined(Job running, AttemptId attempt, View view) {
        return TrainingJobs.isTrainee(running)
                ? JobMachine.next(running, new Event.TrainingJoined(view.now(), attempt))
                : running;
    }

    /**
     * Sizes are shared out among training jobs that can change. Where those leave somebody waiting
     * who would start now by the fair rule, or for whom others would have to stop, it has its way:
     * elastic is fair first.
     */
    private Plan fairFirst(View view, Plan plan, Supplier<LeastSizes.Rule> inOrder) {
        Map<JobId, Job> waiting = queued(view);
        if (waiting.size() == plan.starts().size()) return plan;
        LeastSizes.Rule rule = inOrder.get();
        Plan byRule = rule.plan();
        var starts = new ArrayList<>(plan.starts());
        var room = Room.now(view);
        for (Plan.Start start : plan.starts()) {
            JobSpec spec = sized(waiting.remove(start.job()), start.placement());
            room.takeWhatIsFree(spec, start.placement());
        }
        boolean isStopping =
                view.active().stream().anyMatch(job -> job.state() instanceof JobState.Stopping);
        boolean isAlone = !TrainingJobs.areOwnersSeveral(view);
        // Who is alone gives nothing back to a training job of their own: sizes would undo it.
        boolean helps =
                rule.helped().stream()
                        .map(waiting::get)
                        .anyMatch(job -> job != null && !(isAlone && TrainingJobs.isTrainee(job)));
        // First comes what is under way; the next plan is made when it is done.
        if (helps && !isStopping && plan.preempts().isEmpty()) return byRule;
        // One who is alone may let a job wait: it is all for the good of the others, their own.
        if (isAlone) {
            return new Plan(starts, plan.preempts(), earlier(plan.wake(), byRule.wake()));
        }
        var passed = new ArrayList<Job>();
        for (Plan.Start start : byRule.starts()) {
            Job job = waiting.get(start.job());
            if (job == null) continue;
            if (room.take(sized(job, start.placement()), start.placement())) starts.add(start);
            else passed.add(job);
        }
        var sized = new Plan(starts, plan.preempts(), earlier(plan.wake(), byRule.wake()));
        boolean isFair =
                !isTheirPlaceTaken(passed, view, sized)
                        && LeastSizes.takenBack(view, sized, fair).isEmpty();
        if (isFair) return sized;
        return new Plan(byRule.starts(), isStopping ? List.of() : byRule.preempts(), byRule.wake());
    }

    /**
     * Whether the plan gives to others what is somebody's turn: their owner's jobs of a lower
     * priority start, or the rule would have others stop for them again.
     *
     * @param passed who would start now by the fair rule, and does not
     */
    private boolean isTheirPlaceTaken(List<Job> passed, View view, Plan plan) {
        if (passed.isEmpty()) return false;
        Map<JobId, Job> queued = queued(view);
        for (Plan.Start start : plan.starts()) {
            Job other = queued.get(start.job());
            boolean isBefore =
                    passed.stream()
                            .anyMatch(
                                    job ->
                                            job.owner().equals(other.owner())
                                                    && job.priority() > other.priority());
            if (isBefore) return true;
        }
        Set<JobId> ids = new HashSet<>();
        for (Job job : passed) ids.add(job.id());
        // By then those who start now have run for long enough to be stopped.
        Instant then = view.now().plus(view.rules().undisturbed());
        View later = after(view, plan, Plan.NOTHING, then);
        return LeastSizes.rule(later, fair).helped().stream().anyMatch(ids::contains);
    }

    /** With the GPUs that it gets there. */
    static JobSpec sized(Job job, Placement placement) {
        if (!TrainingJobs.isTrainee(job)) return job.spec();
        List<Share> shares = placement.tasks().getFirst().shares();
        boolean isPart = shares.size() == 1 && !shares.getFirst().isWhole();
        GpuPart part = isPart ? GpuPart.ofUnits(shares.getFirst().units()) : GpuPart.WHOLE;
        return job.spec().sized(placement.tasks().size(), shares.size(), part);
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return Stream.concat(one.stream(), other.stream()).min(Instant::compareTo);
    }

    private static View withoutTrainees(View view) {
        var queues = new ArrayList<OwnerQueue>();
        for (OwnerQueue queue : view.queues()) {
            queues.add(
                    new OwnerQueue(
                            queue.owner(),
                            queue.milliGpusHeld(),
                            queue.cpuJobsHeld(),
                            queue.gpuJobs().stream()
                                    .filter(job -> !TrainingJobs.isTrainee(job))
                                    .toList(),
                            queue.cpuJobs(),
                            queue.gpuJobEnded()));
        }
        return view.waiting(queues);
    }

    @Override
    public List<Explanation> explain(View view) {
        if (!anyoneTrains(view)) return fair.explain(view);
        Plan plan = plan(view);
        Set<JobId> starting = new HashSet<>();
        for (Plan.Start start : plan.starts()) starting.add(start.job());
        Set<JobId> stopping = new HashSet<>();
        for (Plan.Preempt preempt : plan.preempts()) stopping.add(preempt.victim());
        for (Job job : view.active())
            if (job.state() instanceof JobState.Stopping) stopping.add(job.id());
        Map<JobId, Job> queued = queued(view);
        var explanations = new ArrayList<Explanation>();
        for (Explanation each : fair.explain(view)) {
            List<Obstacle> obstacles =
                    starting.contains(each.job())
                            ? List.of()
                            : each.obstacles().isEmpty()
                                    ? List.of(new Obstacle.OthersGainMore())
                                    : each.obstacles().stream()
                                            .map(
                                                    it ->
                                                            isIdle(it, stopping)
                                                                    ? lack(
                                                                            queued.get(each.job()),
                                                                            view)
                                                                    : it)
                                            .toList();
            explanations.add(new Explanation(each.job(), each.place(), obstacles));
        }
        return explanations;
    }

    /** The fair rule alone would stop them; here they go on, or change their sizes later. */
    private static boolean isIdle(Obstacle obstacle, Set<JobId> stopping) {
        return obstacle instanceof Obstacle.BeingFreed(List<JobId> named)
                && !stopping.containsAll(named);
    }

    private static Obstacle lack(Job job, View view) {
        var room = Room.now(view);
        return room.fits(job.spec())
                ? new Obstacle.OthersGainMore()
                : room.obstacles(job.spec()).getFirst();
    }

    static Map<JobId, Job> queued(View view) {
        Map<JobId, Job> jobs = new HashMap<>();
        for (OwnerQueue queue : view.queues()) {
            for (Job job : queue.gpuJobs()) jobs.put(job.id(), job);
            for (Job job : queue.cpuJobs()) jobs.put(job.id(), job);
        }
        return jobs;
    }
}
