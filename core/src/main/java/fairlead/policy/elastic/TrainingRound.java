package fairlead.policy.elastic;

import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Limits;
import fairlead.job.Placement;
import fairlead.job.Profile;
import fairlead.job.Resources;
import fairlead.job.Setbacks;
import fairlead.job.Setup;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;
import fairlead.policy.Capacity;
import fairlead.policy.Plan;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The training jobs of one view and the GPUs that they may share out among themselves. Between the
 * words of the cluster and those of {@link Sizes}; used for one plan.
 */
final class TrainingRound {
    /** A run of which nothing at all is known is thought long: the known ones go first. */
    private static final double RUN_SECONDS_UNKNOWN = 10_000;

    /** Who has taken longer than this many times the run alone was treated unfairly (Shockwave). */
    private static final double UNFAIR_ABOVE = 1.05;

    /** A checkpoint younger than this means that the next one is not far. */
    private static final Duration RECENT = Elastic.ROUND.multipliedBy(2);

    /** Up to so many nodes every number of them is a size; beyond, every second, then fourth. */
    private static final int NODES_ONE_BY_ONE = 8;

    /** A job that would take more than this part of the time to its deadline is in danger. */
    private static final double DEADLINE_DANGER = 0.8;

    private static final double EPOCHS_LEFT_MIN = 1e-3;

    /** Enough to find good pairs in; who is further behind in line does not pass. */
    private static final int LINE_MAX = 32;

    private final View view;
    private final Plan others;
    private final NodeState[] nodes;
    private final Map<String, Integer> indices = new HashMap<>();
    private final int[] free;
    private final int perNode;
    private final Map<String, Job> trainees = new TreeMap<>();
    private final SharedGpus sharedGpus;
    private final Shareholders holders;
    private final boolean mayStop;
    private boolean anyoneTooYoung;

    /** GPUs by job, of those that the plan starts or lets go on with another number. */
    private final Map<JobId, Integer> intended = new HashMap<>();

    TrainingRound(View view, Plan others) {
        this(view, others, true);
    }

    /**
     * @param mayStop whether running jobs may be asked to change
     */
    TrainingRound(View view, Plan others, boolean mayStop) {
        this.view = view;
        this.others = others;
        this.mayStop = mayStop;
        nodes = view.nodes().toArray(NodeState[]::new);
        free = new int[nodes.length];
        int most = 1;
        for (int i = 0; i < nodes.length; i++) {
            indices.put(nodes[i].node().name(), i);
            most = Math.max(most, nodes[i].node().gpus().size());
        }
        perNode = most;
        takePlaces();
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i].node().ready()) free[i] = nodes[i].freeGpus().size();
        }
        sharedGpus = new SharedGpus(view, nodes);
        holders = new Shareholders(view);
        gather();
    }

    /** Sorts as submits do: among plans that are equally good, the earlier job has the better. */
    private static String key(Job job) {
        Instant at = job.submitted();
        return "%012d%09d %s".formatted(at.getEpochSecond(), at.getNano(), job.id());
    }

    /** Among several owners an attempt runs undisturbed as under the fair rule. */
    private Duration leastLife() {
        return TrainingJobs.areOwnersSeveral(view) ? view.rules().undisturbed() : Elastic.ROUND;
    }

    /** What the others start is not for training jobs. */
    private void takePlaces() {
        Map<JobId, Job> waiting = Elastic.queued(view);
        for (Plan.Start start : others.starts()) {
            JobSpec spec = waiting.get(start.job()).spec();
            for (TaskPlacement task : start.placement().tasks()) {
                int node = indices.get(task.node());
                Resources ask = spec.role(task.task().role()).resources();
                nodes[node] = nodes[node].hold(ask, task.shares());
            }
        }
    }

    /**
     * Not while the last stops are less than a round ago: first those who were stopped, and those
     * for whom they were, have to find their places.
     */
    private boolean mayStop() {
        if (!mayStop) return false;
        Instant recent = view.now().minus(Elastic.ROUND);
        return Stream.concat(
                        view.active().stream(),
                        view.queues().stream().flatMap(queue -> queue.gpuJobs().stream()))
                .filter(TrainingJobs::isTrainee)
                .noneMatch(job -> lastStop(job).filter(recent::isBefore).isPresent());
    }

    private static Optional<Instant> lastStop(Job job) {
        if (job.state() instanceof JobState.Stopping stopping) return Optional.of(stopping.since());
        List<Setbacks.Receipt> receipts = job.setbacks().last();
        return receipts.isEmpty() ? Optional.empty() : Optional.of(receipts.getLast().at());
    }

    private void gather() {
        Set<JobId> victims = new HashSet<>();
        for (Plan.Preempt preempt : others.preempts()) victims.add(preempt.victim());
        Map<JobId, Job> waiting = Elastic.queued(view);
        Instant youngest = view.now().minus(leastLife());
        for (Job job : view.active()) {
            if (!TrainingJobs.isTrainee(job) || victims.contains(job.id())) continue;
            boolean isYoung =
                    !TrainingJobs.isSettled(job, view)
                            || ((JobState.Active) job.state()).since().isAfter(youngest)
                            || TrainingJobs.hasStoppedInVain(job, waiting, view.now());
            if (isYoung || !isOnReadyNodes(job) || !sharedGpus.isAlone(job)) {
                anyoneTooYoung |= !(job.state() instanceof JobState.Stopping);
                continue;
            }
            trainees.put(key(job), job);
            place(job).forEach((node, gpus) -> free[node] += gpus);
        }
        for (OwnerQueue queue : view.queues()) {
            for (Job job : queue.gpuJobs()) {
                boolean isPausing = ((JobState.Queued) job.state()).notBefore().isAfter(view.now());
                if (TrainingJobs.isTrainee(job) && !isPausing) trainees.put(key(job), job);
            }
        }
    }

    /** Nodes may be gone, or not yet be known after a start of the server. */
    private boolean isOnReadyNodes(Job job) {
        return ((JobState.Active) job.state())
                .attempt().placement().tasks().stream()
                        .map(task -> indices.get(task.node()))
                        .allMatch(node -> node != null && nodes[node].node().ready());
    }

    private Map<Integer, Integer> place(Job job) {
        var place = new TreeMap<Integer, Integer>();
        if (!(job.state() instanceof JobState.Active active)) return place;
        for (TaskPlacement task : active.attempt().placement().tasks()) {
            Integer node = indices.get(task.node());
            if (node != null) place.merge(node, task.shares().size(), Integer::sum);
        }
        return place;
    }

    Plan plan() {
        var jobs = new ArrayList<Trainee>();
        for (Job job : trainees.values()) trainee(job).ifPresent(jobs::add);
        var capacity = new ArrayList<Integer>();
        for (int gpus : free) capacity.add(gpus);
        boolean anyFree = capacity.stream().anyMatch(gpus -> gpus > 0);
        if (jobs.isEmpty() || !anyFree) return withSharing(Set.of(), List.of(), List.of());
        var setting =
                new Sizes.Setting(
                        perNode,
                        capacity,
                        view.rules().restart(),
                        Elastic.ROUND,
                        holders.weights(trainees.values()),
                        holders.heldElsewhere(trainees.values()),
                        mayStop());
        Map<String, Map<Integer, Integer>> places = Sizes.of(jobs, setting);
        for (Job job : trainees.values()) {
            Map<Integer, Integer> place = places.getOrDefault(key(job), Map.of());
            if (!place.isEmpty() && !place.equals(place(job))) {
                intended.put(job.id(), Trainee.gpus(place));
            }
        }
        List<Plan.Start> starts = starts(places);
        List<Plan.Preempt> stops = preempts(places, starts);
        Set<JobId> promised = new HashSet<>();
        for (Plan.Start start : starts) promised.add(start.job());
        if (!stops.isEmpty()) {
            for (String place : places.keySet()) promised.add(trainees.get(place).id());
        }
        return withSharing(promised, starts, stops);
    }

    Map<JobId, Integer> intended() {
        return intended;
    }

    /** Whoever got no GPU may share one; whoever should not share any more moves out. */
    private Plan withSharing(
            Set<JobId> promised, List<Plan.Start> starts, List<Plan.Preempt> stops) {
        List<Job> line = line(promised);
        var together = new GpuSharing(view, nodes, stops);
        var allStops = new ArrayList<>(stops);
        allStops.addAll(together.separate());
        var allStarts = new ArrayList<>(starts);
        allStarts.addAll(together.join(line));
        if (line.isEmpty() && stops.isEmpty()) allStops.addAll(together.part());
        return new Plan(allStarts, allStops, wake());
    }

    /** Those who wait and get no GPU of their own: one's first GPU before anyone's second. */
    private List<Job> line(Set<JobId> promised) {
        Map<Job, Long> standings = new HashMap<>();
        for (OwnerQueue queue : view.queues()) {
            long held = queue.milliGpusHeld();
            for (Job job : queue.gpuJobs()) {
                if (!trainees.containsKey(key(job)) || promised.contains(job.id())) continue;
                standings.put(job, held);
                held += Resources.GPU;
            }
        }
        return standings.keySet().stream()
                .sorted(
                        Comparator.comparing((Job job) -> standings.get(job))
                                .thenComparing(OwnerQueue.OWN_ORDER))
                .filter(this::couldRun)
                .limit(LINE_MAX)
                .toList();
    }

    /** Whether an empty cluster would have room for it. */
    private boolean couldRun(Job job) {
        Training training = job.spec().training().orElseThrow();
        for (int size : ladder()) {
            int nodesNeeded = packed(size).tasks();
            if (!training.allows(size) || size % nodesNeeded > 0) continue;
            JobSpec least = job.spec().sized(nodesNeeded, size / nodesNeeded, GpuPart.WHOLE);
            if (Capacity.neverFits(least, view).isEmpty()) return true;
        }
        return false;
    }

    /** Those whose places are free already, in the fair order of the queue. */
    private List<Plan.Start> starts(Map<String, Map<Integer, Integer>> places) {
        var starts = new ArrayList<Plan.Start>();
        trainees.values().stream()
                .filter(job -> job.state() instanceof JobState.Queued)
                .sorted(OwnerQueue.OWN_ORDER)
                .forEach(
                        job ->
                                Optional.ofNullable(places.get(key(job)))
                                        .flatMap(place -> take(job, place))
                                        .map(place -> new Plan.Start(job.id(), place))
                                        .ifPresent(starts::add));
        return starts;
    }

    private Optional<Placement> take(Job job, Map<Integer, Integer> place) {
        int each = place.values().iterator().next();
        if (Trainee.gpus(place) == 1) {
            Optional<Placement> shared = takePart(job, place.keySet().iterator().next());
            if (shared.isPresent()) return shared;
        }
        JobSpec sized = job.spec().sized(place.size(), each, GpuPart.WHOLE);
        Resources ask = sized.roles().getFirst().resources();
        var tasks = new ArrayList<TaskPlacement>();
        for (int node : place.keySet()) {
            Optional<List<Share>> shares =
                    nodes[node].fits(ask) ? nodes[node].shares(ask) : Optional.empty();
            if (shares.isEmpty()) return Optional.empty();
            var task = new TaskId(sized.roles().getFirst().name(), tasks.size());
            tasks.add(new TaskPlacement(task, nodes[node].node().name(), shares.get()));
        }
        for (TaskPlacement task : tasks) {
            int node = indices.get(task.node());
            nodes[node] = nodes[node].hold(ask, task.shares());
        }
        return Optional.of(new Placement(tasks));
    }

    /** A GPU that nobody uses, of which it holds only what it needs, so that another may join. */
    private Optional<Placement> takePart(Job job, int node) {
        Optional<Long> need = SharedGpus.need(job, view);
        List<Integer> idle = nodes[node].freeGpus();
        if (need.isEmpty() || idle.isEmpty()) return Optional.empty();
        Resources part = SharedGpus.part(job, need.get());
        List<Share> shares = List.of(new Share(idle.getFirst(), need.get()));
        if (!nodes[node].isFree(part, shares)) return Optional.empty();
        nodes[node] = nodes[node].hold(part, shares);
        var task = new TaskId(job.spec().roles().getFirst().name(), 0);
        return Optional.of(
                new Placement(List.of(new TaskPlacement(task, nodes[node].node().name(), shares))));
    }

    /** Running jobs whose place is to change, for the first of those who wait for a place. */
    private List<Plan.Preempt> preempts(
            Map<String, Map<Integer, Integer>> places, List<Plan.Start> starts) {
        Set<JobId> starting = new HashSet<>();
        for (Plan.Start start : starts) starting.add(start.job());
        Optional<Job> first =
                trainees.values().stream()
                        .filter(job -> job.state() instanceof JobState.Queued)
                        .filter(job -> places.containsKey(key(job)))
                        .filter(job -> !starting.contains(job.id()))
                        .min(OwnerQueue.OWN_ORDER);
        String room = first.or(() -> growing()).map(job -> room(job.id())).orElse("");
        var preempts = new ArrayList<Plan.Preempt>();
        for (Job job : trainees.values()) {
            if (!(job.state() instanceof JobState.Running)) continue;
            Map<Integer, Integer> now = place(job);
            Map<Integer, Integer> next = places.getOrDefault(key(job), Map.of());
            if (next.equals(now)) continue;
            preempts.add(
                    next.isEmpty()
                            ? new Plan.Preempt(
                                    job.id(),
                                    first.filter(other -> other.owner().equals(job.owner()))
                                            .orElse(job)
                                            .id(),
                                    "others of its owner's end sooner with its GPUs")
                            : new Plan.Preempt(
                                    job.id(),
                                    job.id(),
                                    change(Trainee.gpus(next) - Trainee.gpus(now), room)));
        }
        return preempts;
    }

    /** Somebody who runs and shall go on with more. */
    private Optional<Job> growing() {
        return trainees.values().stream()
                .filter(job -> job.state() instanceof JobState.Running)
                .filter(job -> intended.getOrDefault(job.id(), 0) > Trainee.gpus(place(job)))
                .findFirst();
    }

    private static String room(JobId whom) {
        return ", to make room for " + whom;
    }

    /** Without a number: when it goes on the sizes are thought over once more. */
    private static String change(int gpus, String room) {
        if (gpus > 0) return "it goes on with more GPUs";
        return (gpus < 0 ? "it goes on with fewer GPUs" : "it goes on in another place") + room;
    }

    private Optional<Instant> wake() {
        boolean anyoneRuns =
                anyoneTooYoung
                        || trainees.values().stream()
                                .anyMatch(job -> job.state() instanceof JobState.Running);
        return anyoneRuns ? Optional.of(view.now().plus(Elastic.ROUND)) : Optional.empty();
    }

    private Optional<Trainee> trainee(Job job) {
        Training training = job.spec().training().orElseThrow();
        Map<Integer, Integer> place = place(job);
        var sizes = new TreeSet<Integer>();
        for (int size : ladder()) if (training.allows(size)) sizes.add(size);
        if (!place.isEmpty()) sizes.add(Trainee.gpus(place));
        if (sizes.isEmpty()) return Optional.empty();
        Map<Integer, Double> measured = measured(job);
        List<Trainee.Stint> running = running(job, place, measured.isEmpty());
        double guess =
                training.estimate().map(time -> time.toMillis() / 1e3).orElse(RUN_SECONDS_UNKNOWN)
                        / training.epochs();
        var curve = Curve.fit(List.copyOf(sizes), measured, training.gpus(), guess, running);
        double left =
                training.epochs()
                        - job.progress().epochsDone()
                        - job.progress().fraction()
                        - (job.progress().fraction() > 0 && measured.isEmpty()
                                ? 0
                                : curve.part(running));
        double starting =
                job.state() instanceof JobState.Running state
                        ? Math.max(0, seconds(state.since().plus(view.rules().restart())))
                        : 0;
        return Optional.of(
                new Trainee(
                        key(job),
                        holders.name(job),
                        priority(job, curve, left),
                        curve,
                        Math.max(left, EPOCHS_LEFT_MIN),
                        place,
                        starting,
                        due(job, curve),
                        isSafeOften(job)));
    }

    /** When it would have ended alone on the GPUs that it asked for, or at its deadline. */
    private double due(Job job, Curve curve) {
        Training training = job.spec().training().orElseThrow();
        double alone =
                view.rules().restart().toMillis() / 1e3
                        + training.epochs() * curve.seconds(asked(training, curve));
        double due = UNFAIR_ABOVE * alone + seconds(job.standing());
        return training.deadline().map(at -> Math.min(due, seconds(at))).orElse(due);
    }

    /** The size that its owner asked for, or the next smaller one that the nodes can give. */
    private static int asked(Training training, Curve curve) {
        int asked = 0;
        for (int k = 0; k < curve.count(); k++) if (curve.size(k) <= training.gpus()) asked = k;
        return asked;
    }

    /** In danger to miss its deadline it goes before its owner's other jobs. */
    private int priority(Job job, Curve curve, double left) {
        Training training = job.spec().training().orElseThrow();
        if (training.deadline().isEmpty()) return job.priority();
        double seconds = left * curve.seconds(asked(training, curve));
        boolean isInDanger = seconds > seconds(training.deadline().get()) * DEADLINE_DANGER;
        return isInDanger ? job.priority() + Limits.PRIORITY_MAX : job.priority();
    }

    private double seconds(Instant until) {
        return Duration.between(view.now(), until).toMillis() / 1e3;
    }

    private boolean isSafeOften(Job job) {
        return job.progress().safe().filter(at -> at.plus(RECENT).isAfter(view.now())).isPresent();
    }

    /** By GPUs, where they lay on as few nodes as can hold them. */
    private Map<Integer, Double> measured(Job job) {
        var measured = new TreeMap<Integer, Double>();
        Profile profile = view.foresight().profile(job);
        profile.speeds()
                .forEach(
                        (setup, speed) -> {
                            if (setup.equals(packed(setup.gpus()))) {
                                measured.put(setup.gpus(), speed.epochSeconds());
                            }
                        });
        return measured;
    }

    private Setup packed(int gpus) {
        return Setup.alone(Math.max(1, (gpus + perNode - 1) / perNode), gpus);
    }

    /** What it has spent since its work was last safe; in all, where no epoch has ended yet. */
    private List<Trainee.Stint> running(
            Job job, Map<Integer, Integer> place, boolean isUnmeasured) {
        if (!(job.state() instanceof JobState.Running state)) return List.of();
        Instant start = state.since().plus(view.rules().restart());
        Instant from = job.progress().safe().filter(start::isBefore).orElse(start);
        double spent = Math.max(0, -seconds(isUnmeasured ? start : from));
        if (isUnmeasured) spent += job.served().toMillis() / 1e3;
        return List.of(new Trainee.Stint(Trainee.gpus(place), spent));
    }

    /** The sizes worth a thought: any part of a node, one node and a half, then whole nodes. */
    private List<Integer> ladder() {
        var sizes = new ArrayList<Integer>();
        for (int gpus = 1; gpus <= perNode; gpus++) sizes.add(gpus);
        if (perNode % 4 == 0) sizes.add(perNode + perNode / 2);
        int step = 1;
        for (int count = 2; count <= nodes.length; count += step) {
            sizes.add(count * perNode);
            if (count == NODES_ONE_BY_ONE * step) step *= 2;
        }
        return sizes;
    }
}
