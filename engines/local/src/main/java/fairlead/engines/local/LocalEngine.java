package fairlead.engines.local;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engine.GpuUse;
import fairlead.engine.MoreVariables;
import fairlead.engine.Observation;
import fairlead.engine.Sessions;
import fairlead.engine.TaskEnvironment;
import fairlead.engine.TaskLog;
import fairlead.engine.Terms;
import fairlead.engines.local.container.Containers;
import fairlead.engines.local.linux.Inherited;
import fairlead.engines.local.linux.Ports;
import fairlead.engines.local.linux.Shim;
import fairlead.engines.local.session.Connections;
import fairlead.engines.local.session.Execs;
import fairlead.engines.local.session.Reach;
import fairlead.engines.local.task.ExitWatch;
import fairlead.engines.local.task.GpuMemoryWatch;
import fairlead.engines.local.task.Home;
import fairlead.engines.local.task.Keeper;
import fairlead.engines.local.task.LiveAttempt;
import fairlead.engines.local.task.LiveList;
import fairlead.engines.local.task.LiveTask;
import fairlead.engines.local.task.LogFile;
import fairlead.engines.local.task.Manifest;
import fairlead.engines.local.task.Reaper;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Tasks as processes of this machine, or containers where they have an image and a program for it
 * is there. They outlive the server: their true exit codes are in files that {@link Shim} writes,
 * and the next server takes up what still runs. Any thread may call; one thread of its own ({@link
 * Keeper}) notices exits, another ({@link GpuMemoryWatch}) measures GPUs.
 */
public final class LocalEngine implements Engine, Sessions, Terms {
    private static final Logger LOG = System.getLogger(LocalEngine.class.getName());
    private static final Path OWN_ENVIRONMENT = Path.of("/proc/self/environ");
    private static final Path OWN_STATUS = Path.of("/proc/self/status");

    private final Home home;
    private final LiveList live;
    private final Node node;
    private final TaskStarter starter;
    private final Containers containers;
    private final Reaper reaper;
    private final Keeper keeper;
    private final Execs execs;
    private final Connections ways;
    private final Optional<GpuMemoryWatch> gpuMemory;
    private final Ports ports = new Ports();
    private final List<String> notes;
    private final MoreVariables more;

    /** Takes up everything that an earlier engine on this home has left. */
    public static LocalEngine open(LocalSettings settings) throws EngineException {
        try {
            return open(settings, Facilities.ofThisMachine());
        } catch (IOException problem) {
            throw new EngineException(
                    "cannot open the local engine: " + problem.getMessage(), problem);
        }
    }

    static LocalEngine open(LocalSettings settings, Facilities facilities) throws EngineException {
        Home home = null;
        try {
            home = Home.open(settings.home());
            return new LocalEngine(settings, home, facilities);
        } catch (IOException | EngineException problem) {
            closeQuietly(home);
            throw problem instanceof EngineException known
                    ? known
                    : new EngineException(
                            "cannot open the local engine: " + problem.getMessage(), problem);
        } catch (ExceptionInInitializerError | UnsupportedOperationException problem) {
            closeQuietly(home);
            throw new EngineException(
                    "the local engine cannot run here: " + root(problem), problem);
        }
    }

    private static String root(Throwable problem) {
        return problem.getCause() == null ? problem.getMessage() : problem.getCause().getMessage();
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            if (closeable != null) closeable.close();
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "cannot close {0}: {1}", closeable, problem);
        }
    }

    private LocalEngine(LocalSettings settings, Home home, Facilities facilities)
            throws IOException, EngineException {
        this.home = home;
        this.more = settings.more();
        this.live = new LiveList(home.live());
        this.node = Machine.node(settings, facilities.gpus());
        boolean canTrim = LogFile.canTrim(home.path());
        var watch = new ExitWatch();
        var cgroups = facilities.cgroups();
        var inherited =
                Inherited.of(Files.readAllBytes(OWN_ENVIRONMENT), Files.readAllLines(OWN_STATUS));
        this.containers = Containers.find(settings.containers(), inherited.path());
        this.starter = new TaskStarter(cgroups, facilities.mounts(), containers, inherited, node);
        this.reaper = new Reaper(watch, cgroups, canTrim ? settings.logBytesMax() : Long.MAX_VALUE);
        this.keeper = new Keeper(home.engineId(), watch, reaper);
        this.execs = new Execs(keeper, cgroups, inherited);
        this.ways = new Connections(keeper, cgroups);
        this.gpuMemory =
                hasRealGpus()
                        ? Optional.of(new GpuMemoryWatch(facilities.driver(), keeper::attempts))
                        : Optional.empty();
        this.notes = notes(cgroups.isPresent(), canTrim);
        try {
            recover();
        } catch (IOException problem) {
            watch.close();
            throw problem;
        }
        keeper.start();
        gpuMemory.ifPresent(GpuMemoryWatch::start);
    }

    private boolean hasRealGpus() {
        return node.gpus().stream().anyMatch(gpu -> !gpu.type().equals(Machine.DECLARED));
    }

    private List<String> notes(boolean limits, boolean canTrim) {
        var facts = new ArrayList<String>();
        if (!limits) {
            facts.add(
                    "CPU and memory limits are not enforced: no cgroup v2 with cpu and memory"
                            + " controllers that this account may write");
        }
        if (!canTrim) {
            facts.add(
                    "logs grow without bound: the file system of "
                            + home.path()
                            + " keeps no holes");
        }
        if (node.gpus().stream().anyMatch(gpu -> gpu.type().equals(Machine.DECLARED))) {
            facts.add("the GPUs of " + node.name() + " are declared, not found");
        }
        return List.copyOf(facts);
    }

    private void recover() throws IOException {
        for (Manifest manifest : live.all()) {
            var attempt = keeper.attempt(manifest.attempt(), home);
            synchronized (attempt) {
                attempt.files.createFolder();
                attempt.admit(manifest, keeper.engineId());
                ports.keep(attempt.ports);
                keeper.recover(attempt);
            }
        }
    }

    @Override
    public void launch(Effect.Launch launch) throws EngineException {
        withAttempt(
                launch.attempt(),
                attempt -> {
                    boolean fresh = attempt.phase == LiveAttempt.Phase.NEW;
                    try {
                        if (fresh && !admit(attempt, launch)) return;
                    } finally {
                        if (attempt.phase == LiveAttempt.Phase.NEW) keeper.drop(attempt);
                    }
                    if (!attempt.isStopping()) startTasks(attempt, launch);
                });
    }

    /** False when the attempt was stopped before. */
    private boolean admit(LiveAttempt attempt, Effect.Launch launch)
            throws IOException, EngineException {
        if (attempt.files.isNever()) return false;
        home.requireSpace();
        var tasks = launch.place().placement().tasks().stream().map(TaskPlacement::task).toList();
        var taken = ports.take(TaskEnvironment.portsFor(launch), fixedPorts(launch));
        var manifest = new Manifest(attempt.id, tasks, taken);
        try {
            attempt.files.createFolder();
            live.add(manifest);
        } catch (IOException problem) {
            ports.giveBack(taken);
            throw problem;
        }
        attempt.admit(manifest, keeper.engineId());
        return true;
    }

    /** Of all tasks: they are on one machine, so no number is there twice. */
    private static List<Integer> fixedPorts(Effect.Launch launch) {
        return launch.place().placement().tasks().stream()
                .map(task -> launch.job().spec().role(task.task().role()))
                .flatMap(role -> role.resources().ports().stream())
                .toList();
    }

    private void startTasks(LiveAttempt attempt, Effect.Launch launch)
            throws IOException, EngineException {
        if (attempt.allStarted()) return;
        var environment = new LocalEnvironment(launch, attempt.ports, node.gpus(), more);
        try {
            for (int rank = 0; rank < attempt.tasks.size(); rank++) {
                LiveTask task = attempt.tasks.get(rank);
                if (task.started || task.exit != null) continue;
                var pid = starter.start(launch, task, environment.of(rank));
                task.started = true;
                if (pid.isPresent()) {
                    keeper.watch(task, pid.get());
                } else {
                    reaper.settle(task);
                }
            }
        } finally {
            attempt.publish();
        }
    }

    @Override
    public void stop(AttemptId id, Duration grace) throws EngineException {
        withAttempt(
                id,
                attempt -> {
                    if (attempt.phase == LiveAttempt.Phase.NEW) {
                        attempt.files.setNever();
                        keeper.drop(attempt);
                    } else {
                        keeper.stop(attempt, grace);
                    }
                });
    }

    @Override
    public void forget(AttemptId id) throws EngineException {
        if (!keeper.knows(id)) return;
        withAttempt(
                id,
                attempt -> {
                    if (attempt.phase == LiveAttempt.Phase.LIVE) {
                        keeper.endNow(attempt);
                        live.remove(id);
                        ports.giveBack(attempt.ports);
                    }
                    keeper.drop(attempt);
                });
    }

    private interface Work {
        void on(LiveAttempt attempt) throws IOException, EngineException;
    }

    private void withAttempt(AttemptId id, Work work) throws EngineException {
        if (keeper.isClosed()) throw new EngineException("the local engine is closed");
        boolean done = false;
        while (!done) {
            var attempt = keeper.attempt(id, home);
            synchronized (attempt) {
                if (attempt.phase == LiveAttempt.Phase.GONE) continue;
                try {
                    work.on(attempt);
                } catch (IOException problem) {
                    throw new EngineException(id + ": " + problem.getMessage(), problem);
                }
                done = true;
            }
        }
        keeper.changed();
    }

    @Override
    public List<Observation> observe() throws EngineException {
        if (!keeper.isAlive())
            throw new EngineException("the local engine no longer watches its tasks");
        return keeper.attempts().stream()
                .map(attempt -> attempt.observation)
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return starter.refusal(spec);
    }

    @Override
    public List<Node> nodes() {
        return List.of(node);
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
        TaskLog.requireName(attempt, task);
        return new LogFile(home.files(attempt).log(task));
    }

    @Override
    public void note(AttemptId id, String line) throws EngineException {
        if (!keeper.knows(id)) return;
        var attempt = keeper.attempt(id, home);
        synchronized (attempt) {
            if (attempt.phase == LiveAttempt.Phase.NEW) keeper.drop(attempt);
            if (attempt.phase != LiveAttempt.Phase.LIVE) return;
            try {
                for (LiveTask task : attempt.tasks) {
                    if (task.started) new LogFile(attempt.files.log(task.id)).append(line);
                }
            } catch (IOException problem) {
                throw new EngineException(id + ": " + problem.getMessage(), problem);
            }
        }
    }

    @Override
    public ExecSession exec(ExecRequest request) throws EngineException {
        return execs.start(request);
    }

    @Override
    public ExecSession attach(AttemptId attempt, TaskId task) throws EngineException {
        return ways.attach(new Reach(attempt, task));
    }

    @Override
    public ExecSession forward(AttemptId attempt, TaskId task, int port) throws EngineException {
        return ways.forward(new Reach(attempt, task), port);
    }

    @Override
    public void deleteLogs(JobId job) throws EngineException {
        for (var attempt : keeper.attempts()) {
            var seen = attempt.observation;
            if (!attempt.id.job().equals(job) || seen == null) continue;
            if (seen.exits().size() < attempt.tasks.size()) {
                throw new EngineException(attempt.id + " still runs, so its logs stay");
            }
        }
        Path folder = home.attempts().resolve(job.text());
        if (!Files.exists(folder)) return;
        try (var paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException problem) {
            throw new EngineException("cannot delete the logs of " + job + ": " + problem, problem);
        }
    }

    @Override
    public List<String> notes() {
        var facts = new ArrayList<>(notes);
        containers.note().ifPresent(facts::add);
        return facts;
    }

    @Override
    public List<String> notes(JobSpec spec) {
        var facts = new ArrayList<>(notes());
        facts.addAll(warnings(spec));
        boolean isContained = containers.of(spec).isPresent();
        facts.addAll(PassedOver.of(spec.container().details(), isContained));
        return facts;
    }

    @Override
    public List<String> warnings(JobSpec spec) {
        return containers.passedOver(spec).stream().toList();
    }

    @Override
    public boolean runsImages() {
        return containers.program().isPresent();
    }

    @Override
    public boolean runsHere() {
        return true;
    }

    @Override
    public List<GpuUse> gpuUse() {
        return gpuMemory.map(watch -> watch.use(node.name())).orElse(List.of());
    }

    @Override
    public List<Guest> guests() {
        return List.of();
    }

    @Override
    public Terms terms() {
        return this;
    }

    @Override
    public Optional<Sessions> sessions() {
        return Optional.of(this);
    }

    @Override
    public void onChange(Runnable listener) {
        keeper.onChange(listener);
    }

    @Override
    public void close() {
        gpuMemory.ifPresent(GpuMemoryWatch::close);
        keeper.close();
        closeQuietly(live);
        closeQuietly(home);
    }
}
