package fairlead.simulator;

import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.GpuUse;
import fairlead.engine.Observation;
import fairlead.engine.Sessions;
import fairlead.engine.TaskLog;
import fairlead.engine.Terms;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * An engine in virtual time: each task runs as long and exits as its behaviour says. Remembers for
 * ever which attempts were stopped or forgotten, as an engine with a disk does. It checks its
 * orders: two attempts of a job at once, or more tasks on a GPU than fit, stop the simulation.
 */
public final class SimulatedEngine implements Engine {
    private final Agenda agenda;
    private final List<Node> nodes;
    private final Map<String, Long> units = new HashMap<>();
    private final Behaviour behaviour;
    private final Map<AttemptId, Run> runs = new TreeMap<>();
    private final Set<AttemptId> over = new HashSet<>();
    private final Set<String> down = new HashSet<>();
    private final Map<JobId, Integer> completions = new HashMap<>();
    private Runnable listener = () -> {};

    /** What a task does when it is left alone. */
    public interface Behaviour {
        /** Called with what begins to run. */
        default void launched(Effect.Launch launch) {}

        Duration runTime(JobSpec spec, TaskId task);

        int exitCode(JobSpec spec, TaskId task);

        /** How long it takes to obey a polite stop. */
        Duration obedience(JobSpec spec, TaskId task);

        /** Called with how long a task ran before it ended, however that was. */
        default void ran(JobSpec spec, TaskId task, Duration time) {}
    }

    private final class Run {
        final Effect.Launch launch;
        final Instant begun = agenda.now();
        final Map<TaskId, Exit> exits = new TreeMap<>();
        boolean isStopped;

        Run(Effect.Launch launch) {
            this.launch = launch;
        }

        boolean isAlive() {
            return exits.size() < launch.place().placement().tasks().size();
        }

        void end(TaskId task, Exit exit) {
            if (runs.get(launch.attempt()) != this || exits.putIfAbsent(task, exit) != null) return;
            behaviour.ran(launch.job().spec(), task, Duration.between(begun, agenda.now()));
            if (!isAlive() && exits.values().stream().noneMatch(e -> e.stopped() || e.isLost())) {
                completions.merge(launch.job().id(), 1, Integer::sum);
            }
            listener.run();
        }
    }

    SimulatedEngine(Agenda agenda, List<Node> nodes, Behaviour behaviour) {
        this.agenda = agenda;
        this.nodes = List.copyOf(nodes);
        this.behaviour = behaviour;
        for (Node node : nodes) {
            for (Gpu gpu : node.gpus()) units.put(gpu(node.name(), gpu.index()), gpu.units());
        }
    }

    @Override
    public void launch(Effect.Launch launch) {
        if (over.contains(launch.attempt()) || runs.containsKey(launch.attempt())) return;
        checkRoom(launch);
        var run = new Run(launch);
        runs.put(launch.attempt(), run);
        behaviour.launched(launch);
        for (TaskPlacement task : launch.place().placement().tasks()) {
            if (down.contains(task.node())) {
                run.end(task.task(), Exit.lost("node is down", agenda.now()));
                continue;
            }
            JobSpec spec = launch.job().spec();
            agenda.after(
                    behaviour.runTime(spec, task.task()),
                    () ->
                            run.end(
                                    task.task(),
                                    Exit.of(behaviour.exitCode(spec, task.task()), agenda.now())));
        }
        listener.run();
    }

    @Override
    public void stop(AttemptId attempt, Duration grace) {
        over.add(attempt);
        Run run = runs.get(attempt);
        if (run == null || run.isStopped) return;
        run.isStopped = true;
        for (TaskPlacement task : run.launch.place().placement().tasks()) {
            Duration wait = behaviour.obedience(run.launch.job().spec(), task.task());
            boolean obeys = wait.compareTo(grace) <= 0;
            agenda.after(
                    obeys ? wait : grace,
                    () -> run.end(task.task(), Exit.stopped(obeys ? 143 : 137, "", agenda.now())));
        }
    }

    /** The attempt's tasks end by themselves, and well. */
    void finish(AttemptId attempt) {
        Run run = runs.get(attempt);
        if (run == null) return;
        for (TaskPlacement task : run.launch.place().placement().tasks()) {
            run.end(task.task(), Exit.of(0, agenda.now()));
        }
    }

    @Override
    public void forget(AttemptId attempt) {
        over.add(attempt);
        runs.remove(attempt);
    }

    @Override
    public List<Observation> observe() {
        return runs.values().stream()
                .map(run -> new Observation(run.launch.attempt(), true, run.exits))
                .toList();
    }

    @Override
    public List<Node> nodes() {
        return nodes.stream()
                .map(
                        node ->
                                new Node(
                                        node.name(),
                                        node.gpus(),
                                        node.cpus(),
                                        node.memoryBytes(),
                                        !down.contains(node.name())))
                .toList();
    }

    /** The node's tasks are gone with all that they knew. */
    void lose(String node, Duration absence) {
        if (!down.add(node)) return;
        agenda.after(absence, () -> down.remove(node));
        for (Run run : List.copyOf(runs.values())) {
            for (TaskPlacement task : run.launch.place().placement().tasks()) {
                if (task.node().equals(node))
                    run.end(task.task(), Exit.lost("node is down", agenda.now()));
            }
        }
    }

    /** One running task vanishes; which one is up to the number. */
    void loseTask(int number) {
        var alive = new ArrayList<Run>(runs.values().stream().filter(Run::isAlive).toList());
        if (alive.isEmpty()) return;
        Run run = alive.get(number % alive.size());
        for (TaskPlacement task : run.launch.place().placement().tasks()) {
            if (run.exits.containsKey(task.task())) continue;
            run.end(task.task(), Exit.lost("vanished", agenda.now()));
            return;
        }
    }

    /** Whether all tasks of the attempt run. */
    boolean isWhole(AttemptId attempt) {
        Run run = runs.get(attempt);
        return run != null && run.exits.isEmpty();
    }

    /** How often the job ran to its own end, undisturbed. */
    int completions(JobId job) {
        return completions.getOrDefault(job, 0);
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    private void checkRoom(Effect.Launch launch) {
        var taken = new HashMap<String, Long>();
        for (Run run : runs.values()) {
            if (!run.isAlive()) continue;
            if (run.launch.job().id().equals(launch.job().id())) {
                throw new AssertionError(
                        launch.attempt() + " starts while " + run.launch.attempt() + " runs");
            }
            for (TaskPlacement task : run.launch.place().placement().tasks()) {
                if (!run.exits.containsKey(task.task())) take(task, taken);
            }
        }
        for (TaskPlacement task : launch.place().placement().tasks()) {
            for (String full : take(task, taken)) {
                throw new AssertionError(full + " is given to " + launch.attempt() + " too");
            }
        }
    }

    /** Which GPUs have given more than they have once the task has its shares. */
    private List<String> take(TaskPlacement task, Map<String, Long> taken) {
        var full = new ArrayList<String>();
        for (Share share : task.shares()) {
            String gpu = gpu(task.node(), share.gpu());
            long all = units.get(gpu);
            long sum = taken.merge(gpu, share.isWhole() ? all : share.units(), Long::sum);
            if (sum > all) full.add(gpu);
        }
        return full;
    }

    private static String gpu(String node, int index) {
        return "GPU " + index + " of " + node;
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        throw new EngineException("simulated tasks write no log");
    }

    @Override
    public void deleteLogs(JobId job) {}

    @Override
    public Terms terms() {
        return Terms.PLAIN;
    }

    @Override
    public Optional<Sessions> sessions() {
        return Optional.empty();
    }

    @Override
    public List<GpuUse> gpuUse() {
        return List.of();
    }

    @Override
    public List<Guest> guests() {
        return List.of();
    }

    @Override
    public void onChange(Runnable told) {
        listener = told;
    }

    @Override
    public void close() {}
}
