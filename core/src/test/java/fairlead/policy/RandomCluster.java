package fairlead.policy;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
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
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Samples;
import fairlead.job.Verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A small cluster from a seed, with everything that the fair rule knows: projects with quotas and
 * without, interactive jobs, gangs, parts of GPUs by fraction and by memory, types, limits, pauses,
 * jobs that run, start or stop. Plans can be carried out on it.
 */
public final class RandomCluster {
    private static final List<String> TYPES = List.of("v100", "a100");

    private final SplittableRandom dice;

    /** Dice of their own, so that seeds that are pinned stay the clusters that they were. */
    private final SplittableRandom labels;

    private final List<Node> nodes;
    private final Rules rules;
    public final Map<JobId, Job> jobs = new TreeMap<>();
    private final ClusterState state = new ClusterState();
    private Instant now = Samples.NOON.plusSeconds(10_000);

    public RandomCluster(long seed) {
        dice = new SplittableRandom(seed);
        labels = new SplittableRandom(~seed);
        nodes = IntStream.range(0, 1 + dice.nextInt(4)).mapToObj(this::node).toList();
        rules = new Rules(projects(), Duration.ofMinutes(dice.nextInt(20)));
        state.nodes(nodes);
        state.rules(rules);
        int count = 1 + dice.nextInt(30);
        for (int i = 1; i <= count; i++) add(job(i));
    }

    private Node node(int number) {
        String type = TYPES.get(dice.nextInt(TYPES.size()));
        long memory = dice.nextBoolean() ? 0 : 24L << 30;
        return new Node(
                "node-" + number,
                IntStream.range(0, dice.nextInt(9))
                        .mapToObj(g -> new Gpu(g, type, memory))
                        .toList(),
                dice.nextInt(4, 65),
                (long) dice.nextInt(8, 257) << 30,
                dice.nextInt(10) > 0,
                labels.nextInt(3) > 0 ? List.of() : List.of("zone=a"));
    }

    private Map<String, Project> projects() {
        var projects = new HashMap<String, Project>();
        for (int i = 0; i < dice.nextInt(4); i++) {
            OptionalInt quota =
                    dice.nextInt(4) > 0 ? OptionalInt.of(1 + dice.nextInt(8)) : OptionalInt.empty();
            OptionalInt most =
                    dice.nextBoolean() ? OptionalInt.of(dice.nextInt(3)) : OptionalInt.empty();
            projects.put(
                    "lab-" + i,
                    new Project("lab-" + i, quota, Set.of(), most, Project.INTERACTIVE_LIMIT));
        }
        return projects;
    }

    private Job job(int number) {
        var roles = new ArrayList<Role>();
        int kinds = dice.nextInt(8) == 0 ? 2 : 1;
        for (int r = 0; r < kinds; r++) {
            int count = dice.nextInt(3) == 0 ? 1 + dice.nextInt(4) : 1;
            roles.add(
                    new Role(
                            "role" + r,
                            count,
                            List.of("true"),
                            resources(),
                            OptionalInt.of(1),
                            OptionalInt.empty(),
                            ports()));
        }
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "sample";
                            edit.cluster = "local";
                            edit.project = "lab-" + dice.nextInt(4);
                            edit.priority = dice.nextInt(-1, 2);
                            edit.roles = roles;
                            edit.retries = 9;
                            edit.timeLimit =
                                    dice.nextBoolean()
                                            ? Optional.of(Duration.ofMinutes(1 + dice.nextInt(600)))
                                            : Optional.empty();
                            edit.workingFolder = "/tmp";
                            edit.interactive = dice.nextInt(6) == 0;
                        });
        return Samples.job(number, "owner-" + dice.nextInt(4), spec);
    }

    /** Few numbers, so that they are often taken. */
    private List<Role.Ports> ports() {
        return dice.nextInt(8) > 0
                ? List.of()
                : List.of(new Role.Ports("http", 8_000 + dice.nextInt(2), 1 + dice.nextInt(2)));
    }

    private Resources resources() {
        int shape = dice.nextInt(10);
        Optional<String> type =
                dice.nextInt(6) == 0
                        ? Optional.of(TYPES.get(dice.nextInt(TYPES.size())))
                        : Optional.empty();
        int cpus = dice.nextInt(5);
        long memory = (long) dice.nextInt(9) << 30;
        if (shape == 0) {
            return new Resources(0, GpuPart.WHOLE, Optional.empty(), 1 + cpus, memory);
        }
        GpuPart part =
                switch (shape) {
                    case 1, 2 -> new GpuPart.Fraction(100 * (1 + dice.nextInt(9)));
                    case 3 -> new GpuPart.Memory((long) (1 + dice.nextInt(25)) << 30);
                    default -> GpuPart.WHOLE;
                };
        int gpus = part instanceof GpuPart.Whole ? 1 + dice.nextInt(4) : 1;
        List<String> zone = labels.nextInt(20) > 0 ? List.of() : List.of("zone=a");
        return new Resources(gpus, part, type, cpus, memory).withLabels(zone);
    }

    /** Some wait, some pause; the others are where there is room for them, if there is. */
    private void add(Job job) {
        int fate = dice.nextInt(10);
        Optional<Placement> place = fate < 5 ? Room.now(view()).take(job.spec()) : Optional.empty();
        if (place.isPresent()) job = active(job, place.get(), fate);
        else if (fate == 9) job = pausing(job);
        put(job);
    }

    private Job active(Job waiting, Placement placement, int fate) {
        Instant since = now.minusSeconds(dice.nextInt(9_000));
        var attempt = new Attempt(new AttemptId(waiting.id(), 1), placement);
        Job starting = JobMachine.next(waiting, new Event.AttemptPlaced(since, attempt));
        if (fate == 0) return starting;
        Job running = JobMachine.next(starting, new Event.AttemptStarted(since, attempt.id()));
        if (fate == 1 && dice.nextBoolean()) {
            return JobMachine.next(running, new Event.CancelRequested(now, running.owner()));
        }
        return running;
    }

    private Job pausing(Job job) {
        Attempt failed = Samples.attempt(job, "node-0");
        return JobMachine.next(
                JobMachine.next(job, new Event.AttemptPlaced(now, failed)),
                new Event.AttemptEnded(now, failed.id(), new Verdict.Failed(1, "test")));
    }

    public View view() {
        return state.view(now);
    }

    public View viewWith(List<Guest> guests) {
        state.guests(guests);
        return view();
    }

    public Instant now() {
        return now;
    }

    public void put(Job job) {
        Job before = job.isFinished() ? jobs.remove(job.id()) : jobs.put(job.id(), job);
        state.change(Optional.ofNullable(before), Optional.of(job));
    }

    /** What a controller makes of a plan at once: places are held, victims are told to stop. */
    public void begin(Plan plan) {
        for (Plan.Start start : plan.starts()) {
            Job job = jobs.get(start.job());
            var attempt =
                    new Attempt(new AttemptId(job.id(), job.attempts() + 1), start.placement());
            put(JobMachine.next(job, new Event.AttemptPlaced(now, attempt)));
        }
        for (Plan.Preempt preempt : plan.preempts()) {
            Job job = jobs.get(preempt.victim());
            AttemptId attempt = ((JobState.Active) job.state()).attempt().id();
            put(
                    JobMachine.next(
                            job,
                            new Event.PreemptRequested(
                                    now, attempt, preempt.beneficiary(), preempt.why())));
        }
    }

    /** Lets everyone who was told to stop have stopped. */
    public void endStops() {
        stopping().forEach(this::endStop);
    }

    /** Lets one of those who were told to stop have stopped; false when there is none. */
    public boolean endOneStop() {
        List<Job> stopping = stopping();
        if (stopping.isEmpty()) return false;
        endStop(stopping.get(dice.nextInt(stopping.size())));
        return true;
    }

    private List<Job> stopping() {
        return jobs.values().stream()
                .filter(job -> job.state() instanceof JobState.Stopping)
                .toList();
    }

    private void endStop(Job job) {
        AttemptId attempt = ((JobState.Stopping) job.state()).attempt().id();
        var verdict = new Verdict.Failed(143, "stopped");
        put(JobMachine.next(job, new Event.AttemptEnded(now, attempt, verdict)));
    }

    public void pass(Duration time) {
        now = now.plus(time);
    }

    /** For whoever reads a failure. */
    @Override
    public String toString() {
        var text = new StringBuilder();
        nodes.forEach(node -> text.append("\n  ").append(node));
        text.append("\n  ").append(rules);
        for (Job job : jobs.values()) {
            text.append(
                    "\n  %s of %s in %s%s: %s, %s"
                            .formatted(
                                    job.id(),
                                    job.owner(),
                                    job.spec().project(),
                                    job.spec().interactive() ? " (interactive)" : "",
                                    job.spec().roles().stream()
                                            .map(role -> role.count() + " x " + role.resources())
                                            .toList(),
                                    job.state()));
        }
        return text.toString();
    }
}
