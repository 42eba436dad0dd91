package fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.engine.ExecSession;
import fairlead.engine.GpuUse;
import fairlead.engine.Observation;
import fairlead.engine.Sessions;
import fairlead.engine.TaskEnvironment;
import fairlead.engine.TaskLog;
import fairlead.engine.Terms;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.ImageLogin;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * An engine in memory whose attempts run until a test ends them, or end at once where a test says
 * so. Any thread.
 */
public final class TestEngine implements Engine, Sessions, Terms {
    private Node node;
    private final Map<AttemptId, Run> runs = new HashMap<>();
    private final Map<String, Written> logs = new HashMap<>();
    private final Map<String, Map<String, String>> environments = new HashMap<>();
    private final Map<String, ImageLogin> logins = new HashMap<>();
    private final List<EchoSession> sessions = new ArrayList<>();
    private Runnable listener = () -> {};
    private boolean endsAtOnce;
    private boolean runsImages;
    private boolean runsImagesHere;
    private List<Guest> guests = List.of();
    private Error lookBug;
    private String lookTrouble;
    private String startTrouble;
    private String launchTrouble;
    private String refusal;
    private RuntimeException bug;
    private long looks;

    private static final int FIRST_PORT = 10_000;

    /** One attempt, the tasks of it that have ended, and its ports. */
    private record Run(Set<TaskId> tasks, Map<TaskId, Exit> exits, List<Integer> ports) {}

    /** What a task has written. */
    private static final class Written extends ByteArrayOutputStream {
        byte[] range(long offset, int bytesMax) {
            int from = (int) Math.min(offset, count);
            return Arrays.copyOfRange(buf, from, Math.min(count, from + bytesMax));
        }
    }

    public TestEngine(int gpus) {
        this(IntStream.range(0, gpus).mapToObj(i -> new Gpu(i, "declared", 0)).toList());
    }

    public TestEngine(List<Gpu> all) {
        this.node = new Node("box", all, 64, 64L << 30, true);
    }

    /** Every attempt from now on succeeds as soon as it is launched. */
    public synchronized TestEngine endingAtOnce() {
        endsAtOnce = true;
        return this;
    }

    /** From now on tasks run inside their images. */
    public synchronized TestEngine runningImages() {
        runsImages = true;
        return this;
    }

    /** From now on tasks with an image run inside it, on the server's own machine. */
    public synchronized TestEngine runningImagesHere() {
        runsImagesHere = true;
        return runningImages();
    }

    @Override
    public synchronized boolean runsImages() {
        return runsImages;
    }

    @Override
    public synchronized boolean runsHere() {
        return runsImagesHere || !runsImages;
    }

    @Override
    public synchronized List<String> warnings(JobSpec spec) {
        return spec
                .container()
                .image()
                .filter(_ -> !runsImages)
                .map(image -> "image " + image + " is ignored")
                .stream()
                .toList();
    }

    /** The cluster cannot be reached from now on for this reason; null ends that. */
    public void vanish(String words) {
        synchronized (this) {
            lookTrouble = words;
        }
        listener.run();
    }

    /** What is launched does not start from now on for this reason; null lets it start. */
    public void holdStarts(String words) {
        synchronized (this) {
            startTrouble = words;
        }
        listener.run();
    }

    /** The node takes no new tasks from now on, and says so. */
    public void drain() {
        synchronized (this) {
            node = new Node(node.name(), node.gpus(), node.cpus(), node.memoryBytes(), false);
        }
        listener.run();
    }

    /** Somebody else's work on the same nodes. */
    public synchronized void host(List<Guest> others) {
        guests = List.copyOf(others);
    }

    private List<GpuUse> gpuUse = List.of();

    /** What its GPUs do from now on. */
    public synchronized void uses(List<GpuUse> now) {
        gpuUse = now;
    }

    @Override
    public synchronized List<GpuUse> gpuUse() {
        return gpuUse;
    }

    @Override
    public synchronized List<Guest> guests() throws EngineException {
        if (lookTrouble != null) throw new EngineException(lookTrouble);
        return guests;
    }

    /** Launches fail from now on with these words; null ends that. */
    public synchronized void failLaunches(String words) {
        launchTrouble = words;
    }

    /** Launches meet this bug from now on. */
    public synchronized void breakLaunches(RuntimeException met) {
        bug = met;
    }

    /** Looks meet this from now on. */
    public void breakLooks(Error met) {
        synchronized (this) {
            lookBug = met;
        }
        listener.run();
    }

    /** How often it has been observed. */
    public synchronized long looks() {
        return looks;
    }

    /** Every spec is refused from now on with these words. */
    public synchronized void refuseSpecs(String words) {
        refusal = words;
    }

    /** Ends every task of the job's running attempt with this code. */
    public void end(String job, int code) {
        synchronized (this) {
            AttemptId attempt = running(job).orElseThrow();
            Run run = runs.get(attempt);
            for (TaskId task : run.tasks()) {
                run.exits().putIfAbsent(task, Exit.of(code, Instant.now()));
            }
        }
        listener.run();
    }

    /** Ends one task of the job's running attempt with this code. */
    public void end(String job, String task, int code) {
        synchronized (this) {
            Run run = runs.get(running(job).orElseThrow());
            run.exits().putIfAbsent(TaskId.parse(task), Exit.of(code, Instant.now()));
        }
        listener.run();
    }

    /** The attempt of this job that has a task running. */
    public synchronized Optional<AttemptId> running(String job) {
        return runs.entrySet().stream()
                .filter(entry -> entry.getKey().job().text().equals(job))
                .filter(entry -> entry.getValue().exits().size() < entry.getValue().tasks().size())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The variables that the job's newest attempt was launched with. */
    public synchronized Map<String, String> environment(String job) {
        return environments.get(job);
    }

    /** The login that the job was launched with. */
    public synchronized Optional<ImageLogin> login(String job) {
        return Optional.ofNullable(logins.get(job));
    }

    /** Writes to the log of the first task of an attempt. */
    public synchronized void write(String job, int attempt, String task, byte[] bytes) {
        bytes(job + "#" + attempt + " " + task).writeBytes(bytes);
    }

    private Written bytes(String name) {
        return logs.computeIfAbsent(name, _ -> new Written());
    }

    public synchronized boolean hasLogs(String job) {
        return logs.keySet().stream().anyMatch(name -> name.startsWith(job + "#"));
    }

    @Override
    public void launch(Effect.Launch launch) throws EngineException {
        synchronized (this) {
            if (bug != null) throw bug;
            if (launchTrouble != null) throw new EngineException(launchTrouble);
            if (runs.containsKey(launch.attempt())) return;
            var tasks = new ArrayList<TaskId>();
            for (TaskPlacement task : launch.place().placement().tasks()) tasks.add(task.task());
            List<Integer> ports =
                    IntStream.range(0, TaskEnvironment.portsFor(launch))
                            .mapToObj(i -> FIRST_PORT + i)
                            .toList();
            var run = new Run(Set.copyOf(tasks), new TreeMap<>(), ports);
            if (endsAtOnce) {
                for (TaskId task : tasks) run.exits().put(task, Exit.of(0, Instant.now()));
            }
            runs.put(launch.attempt(), run);
            environments.put(launch.job().id().text(), launch.job().spec().environment());
            launch.login().ifPresent(login -> logins.put(launch.job().id().text(), login));
        }
        listener.run();
    }

    @Override
    public void stop(AttemptId attempt, Duration grace) {
        synchronized (this) {
            Run run = runs.get(attempt);
            if (run == null) return;
            for (TaskId task : run.tasks())
                run.exits().putIfAbsent(task, Exit.stopped(143, "", Instant.now()));
        }
        listener.run();
    }

    @Override
    public synchronized void forget(AttemptId attempt) {
        runs.remove(attempt);
    }

    @Override
    public synchronized List<Observation> observe() throws EngineException {
        looks++;
        if (lookBug != null) throw lookBug;
        if (lookTrouble != null) throw new EngineException(lookTrouble);
        var seen = new ArrayList<Observation>();
        runs.forEach(
                (attempt, run) ->
                        seen.add(
                                new Observation(
                                        attempt,
                                        startTrouble == null,
                                        Map.copyOf(run.exits()),
                                        0,
                                        Optional.ofNullable(startTrouble),
                                        new Endpoints(hosts(run), run.ports()))));
        return seen;
    }

    /** Tasks elsewhere have an address each. */
    private List<String> hosts(Run run) {
        if (runsHere()) return List.of();
        return IntStream.rangeClosed(1, run.tasks().size()).mapToObj(i -> "10.1.0." + i).toList();
    }

    @Override
    public synchronized Optional<String> refuses(JobSpec spec) {
        return Optional.ofNullable(refusal);
    }

    @Override
    public synchronized List<Node> nodes() throws EngineException {
        if (lookTrouble != null) throw new EngineException(lookTrouble);
        return List.of(node);
    }

    @Override
    public TaskLog log(AttemptId attempt, TaskId task) {
        String name = attempt + " " + task;
        return new TaskLog() {
            @Override
            public long start() {
                return 0;
            }

            @Override
            public long end() {
                synchronized (TestEngine.this) {
                    return bytes(name).size();
                }
            }

            @Override
            public byte[] read(long offset, int bytesMax) {
                synchronized (TestEngine.this) {
                    return bytes(name).range(offset, bytesMax);
                }
            }
        };
    }

    @Override
    public synchronized void note(AttemptId attempt, String line) {
        Run run = runs.get(attempt);
        if (run == null) return;
        for (TaskId task : run.tasks())
            bytes(attempt + " " + task).writeBytes((line + "\n").getBytes(UTF_8));
    }

    @Override
    public synchronized ExecSession exec(ExecRequest request) throws EngineException {
        return opened(request.attempt(), request.task());
    }

    @Override
    public synchronized ExecSession attach(AttemptId attempt, TaskId task) throws EngineException {
        return opened(attempt, task);
    }

    /** Every port echoes but 9, where nobody listens. */
    @Override
    public synchronized ExecSession forward(AttemptId attempt, TaskId task, int port)
            throws EngineException {
        if (port == 9) throw new EngineException("nobody listens on port 9 of task " + task);
        return opened(attempt, task);
    }

    private EchoSession opened(AttemptId attempt, TaskId task) throws EngineException {
        Run run = runs.get(attempt);
        if (run == null || run.exits().containsKey(task))
            throw new EngineException("task " + task + " has ended");
        var session = new EchoSession();
        sessions.add(session);
        return session;
    }

    /** All commands that were run beside tasks, and ways to tasks and their ports. */
    public synchronized List<EchoSession> opened() {
        return List.copyOf(sessions);
    }

    @Override
    public synchronized void deleteLogs(JobId job) {
        logs.keySet().removeIf(name -> name.startsWith(job + "#"));
    }

    @Override
    public List<String> notes() {
        return List.of("nothing really runs here");
    }

    @Override
    public List<String> notes(JobSpec spec) {
        return notes();
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
        this.listener = listener;
    }

    @Override
    public void close() {}
}
