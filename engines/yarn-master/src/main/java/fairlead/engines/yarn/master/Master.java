package fairlead.engines.yarn.master;

import fairlead.engines.yarn.relay.Call;
import fairlead.engines.yarn.relay.Orders;
import fairlead.engines.yarn.relay.RefusedException;
import fairlead.engines.yarn.relay.Relay;
import fairlead.engines.yarn.relay.State;
import fairlead.engines.yarn.relay.TaskEnd;
import fairlead.engines.yarn.relay.TaskOrder;
import fairlead.engines.yarn.relay.TaskState;
import fairlead.engines.yarn.relay.Verbs;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs one attempt. Its own thread talks with YARN and starts containers, all of them or none;
 * calls of the server and of keepers come on threads of their own and change only {@link Progress}.
 * What has begun goes on without it, and the next master takes it up.
 */
public final class Master {
    private static final int STOPPED = 143;

    /** Between two heartbeats when nothing is awaited from the resource manager. */
    private static final long IDLE_MILLIS = 1_000;

    /** A longer wait for containers is worth reporting. */
    private static final long WAIT_TOLD_AFTER_MILLIS = 5_000;

    /** Until YARN has started a container and its keeper has called. */
    private static final long BEGIN_MILLIS_MAX = 120_000;

    /** After the grace, until YARN is asked to kill. */
    private static final long STOP_MARGIN_MILLIS = 3_000;

    private final Orders orders;
    private final FileSystem files;
    private final Path folder;
    private final Progress progress;
    private final Containers containers;
    private final Rests rests = new Rests();
    private final Relay relay;
    private final String host;
    private final Map<String, Integer> rankOf = new HashMap<>();
    private final Map<Integer, NodeId> nodeOf = new HashMap<>();
    private final Map<Integer, Container> given = new HashMap<>();
    private final Set<Integer> forced = new HashSet<>();
    private final long startMillis = System.currentTimeMillis();
    private long startedMillis;
    private boolean isStarted;
    private boolean isStopTold;
    private volatile boolean isDone;

    private Master(Orders orders) throws IOException {
        this.orders = orders;
        var configuration = new YarnConfiguration();
        this.folder = new Path(System.getenv(Orders.FOLDER));
        this.files = folder.getFileSystem(configuration);
        this.progress = new Progress(files, folder, orders.tasks().size());
        this.containers = new Containers(configuration, orders, System.getenv(Orders.JAR_ADDRESS));
        this.host = System.getenv(ApplicationConstants.Environment.NM_HOST.name());
        this.relay = new Relay(orders.secret(), this::answer);
    }

    public static void main(String[] arguments) throws Exception {
        Orders orders;
        try (var in =
                new DataInputStream(Files.newInputStream(java.nio.file.Path.of(Orders.FILE)))) {
            orders = Orders.read(in);
        }
        int code = 0;
        try {
            new Master(orders).run();
        } catch (IOException | YarnException | RuntimeException problem) {
            problem.printStackTrace();
            code = 1;
        }
        Runtime.getRuntime().halt(code);
    }

    private void run() throws IOException, YarnException, InterruptedException {
        var registered = containers.register(host, relay.port());
        takeUp(registered.getContainersFromPreviousAttempts());
        long endMillis = 0;
        while (true) {
            State state = progress.state();
            if (state.allEnded()) {
                if (endMillis == 0) endMillis = System.currentTimeMillis();
                boolean isLate = System.currentTimeMillis() - endMillis > orders.lingerMillis();
                if (isDone || isLate) break;
            }
            heartbeat(state);
            progress.write();
            await(state);
        }
        leave();
    }

    private void await(State last) throws InterruptedException {
        boolean isAwaited = !isStarted && !last.allEnded();
        long millis = isAwaited ? orders.heartbeatMillis() : IDLE_MILLIS;
        if (isAwaited) Thread.sleep(millis);
        else if (!isDone) progress.awaitOther(last.version(), millis);
    }

    private void leave() throws IOException, YarnException {
        if (!isDone) rests.save(files, folder);
        progress.write();
        State state = progress.state();
        boolean isSuccess =
                state.tasks().stream().allMatch(task -> task.end().orElseThrow().code() == 0);
        containers.unregister(isSuccess, isSuccess ? "" : "a task has failed or was stopped");
    }

    /** What has begun goes on; what has not is asked for anew. */
    private void takeUp(List<Container> left) {
        List<TaskState> tasks = progress.state().tasks();
        isStarted = tasks.stream().noneMatch(task -> task.container().isEmpty());
        startedMillis = System.currentTimeMillis();
        var known = new HashMap<String, Container>();
        for (Container each : left) known.put(each.getId().toString(), each);
        for (int rank = 0; rank < tasks.size(); rank++) {
            Container container = known.remove(tasks.get(rank).container());
            if (!isStarted) {
                if (container != null) containers.release(container.getId());
                if (tasks.get(rank).end().isPresent()) continue;
                progress.set(rank, TaskState.NEW);
                containers.ask(rank);
            } else {
                rankOf.put(tasks.get(rank).container(), rank);
                if (container != null) nodeOf.put(rank, container.getNodeId());
                if (tasks.get(rank).end().isEmpty()) introduce(tasks.get(rank));
            }
        }
        known.values().forEach(each -> containers.release(each.getId()));
    }

    /** Keepers know only the master that has started them. */
    private void introduce(TaskState task) {
        if (!task.hasBegun()) return;
        var words = new String[] {Verbs.MASTER, host, Integer.toString(relay.port())};
        tell(task, words);
    }

    private void heartbeat(State state) throws IOException, YarnException {
        long ended = state.tasks().stream().filter(task -> task.end().isPresent()).count();
        var response = containers.heartbeat((float) ended / state.tasks().size());
        for (Container each : response.getAllocatedContainers()) take(each);
        for (ContainerStatus each : response.getCompletedContainersStatuses()) ended(each);
        if (progress.state().isStopping()) stopping();
        else if (!isStarted && !progress.state().allEnded()) startWhenAllAreThere();
        else if (isStarted) checkBegun();
    }

    private void take(Container container) {
        int rank = containers.given(container);
        boolean isWanted = rank >= 0 && progress.task(rank).end().isEmpty();
        if (!isWanted) {
            containers.release(container.getId());
            return;
        }
        given.put(rank, container);
        rankOf.put(container.getId().toString(), rank);
        nodeOf.put(rank, container.getNodeId());
    }

    private void ended(ContainerStatus status) {
        Integer rank = rankOf.get(status.getContainerId().toString());
        if (rank == null) return;
        if (!isStarted && given.remove(rank) != null) {
            // Taken away before it was used: the gang waits on.
            containers.ask(rank);
            return;
        }
        progress.end(rank, Ends.of(status, progress.state().isStopping()));
    }

    private void startWhenAllAreThere() throws IOException {
        if (given.size() < orders.tasks().size()) {
            waitOn();
            return;
        }
        given.forEach(
                (rank, container) ->
                        progress.set(
                                rank,
                                TaskState.NEW.in(
                                        container.getId().toString(),
                                        container.getNodeId().getHost())));
        progress.trouble("");
        // From here on a new master knows the containers as started.
        progress.write();
        isStarted = true;
        startedMillis = System.currentTimeMillis();
        for (var each : given.entrySet()) {
            try {
                containers.start(each.getKey(), each.getValue(), host + ":" + relay.port());
            } catch (IOException | YarnException | RuntimeException problem) {
                abandon(
                        "YARN did not start the container on "
                                + each.getValue().getNodeId()
                                + ": "
                                + problem.getMessage());
                return;
            }
        }
    }

    private void waitOn() {
        long waited = System.currentTimeMillis() - startMillis;
        if (waited < WAIT_TOLD_AFTER_MILLIS) return;
        var nodes = new TreeSet<String>();
        for (int rank = 0; rank < orders.tasks().size(); rank++) {
            if (!given.containsKey(rank)) nodes.add(orders.tasks().get(rank).node());
        }
        String words = "YARN has given no container on " + String.join(", ", nodes) + " yet";
        progress.trouble(words);
        if (waited > orders.startPatienceMillis()) abandon(words);
    }

    /** All or none: what has no end yet is lost. */
    private void abandon(String why) {
        containers.askNoMore();
        for (int rank = 0; rank < orders.tasks().size(); rank++) {
            if (progress.end(rank, TaskEnd.lost(why)) || given.containsKey(rank)) free(rank);
        }
    }

    private void free(int rank) {
        Container container = given.get(rank);
        if (container == null) return;
        if (isStarted) containers.stop(container.getId(), container.getNodeId());
        containers.release(container.getId());
    }

    private void checkBegun() {
        if (System.currentTimeMillis() - startedMillis < BEGIN_MILLIS_MAX) return;
        List<TaskState> tasks = progress.state().tasks();
        for (int rank = 0; rank < tasks.size(); rank++) {
            if (tasks.get(rank).hasBegun() || tasks.get(rank).end().isPresent()) continue;
            kill(rank);
            progress.end(rank, TaskEnd.lost("its container did not begin"));
        }
    }

    /** Tasks that have not begun never do; the others have until the end of their grace. */
    private void stopping() {
        State state = progress.state();
        if (!isStarted) {
            containers.askNoMore();
            for (int rank = 0; rank < orders.tasks().size(); rank++) {
                var end =
                        new TaskEnd(
                                STOPPED,
                                true,
                                false,
                                "stopped before it began",
                                System.currentTimeMillis(),
                                0);
                if (progress.end(rank, end)) free(rank);
            }
            return;
        }
        if (!isStopTold) tellStop();
        isStopTold = true;
        if (System.currentTimeMillis() < state.stopAtMillis() + STOP_MARGIN_MILLIS) return;
        for (int rank = 0; rank < orders.tasks().size(); rank++) {
            if (state.tasks().get(rank).end().isEmpty() && forced.add(rank)) kill(rank);
        }
    }

    private void kill(int rank) {
        NodeId node = nodeOf.get(rank);
        if (node == null) return;
        containers.stop(ContainerId.fromString(progress.task(rank).container()), node);
    }

    private void tellStop() {
        State state = progress.state();
        for (int rank = 0; rank < state.tasks().size(); rank++) {
            TaskState task = state.tasks().get(rank);
            if (!task.hasBegun() || task.end().isPresent()) continue;
            tell(task, Verbs.STOP, Long.toString(state.stopAtMillis()));
        }
    }

    /** On a thread of its own: a node may not answer. */
    private void tell(TaskState task, String... words) {
        Runnable work =
                () -> {
                    try {
                        keeper(task, words).close();
                    } catch (IOException problem) {
                        System.err.println(task.container() + " does not answer: " + problem);
                    }
                };
        var thread = new Thread(work, "tell");
        thread.setDaemon(true);
        thread.start();
    }

    private Call keeper(TaskState task, String... words) throws IOException {
        return Call.open(task.host(), task.keeperPort(), orders.secret(), words);
    }

    private void answer(List<String> words, Call call) throws IOException, InterruptedException {
        switch (words.get(0)) {
            case Verbs.STATE -> {
                call.accept();
                long known = Long.parseLong(words.get(1));
                progress.awaitOther(known, Verbs.STATE_MILLIS_MAX).write(call.out());
            }
            case Verbs.STOP -> {
                progress.stop(Long.parseLong(words.get(1)));
                progress.write();
                call.accept();
            }
            case Verbs.DONE -> {
                call.accept();
                isDone = true;
                progress.close();
            }
            case Verbs.BEGIN -> begin(rank(words), Integer.parseInt(words.get(2)), call);
            case Verbs.ENDED -> ended(rank(words), call);
            case Verbs.TASK -> relay(rank(words), words.subList(2, words.size()), call);
            default -> throw new RefusedException("a master knows no " + words.get(0));
        }
    }

    private int rank(List<String> words) throws IOException {
        int rank = Integer.parseInt(words.get(1));
        if (rank < 0 || rank >= orders.tasks().size())
            throw new RefusedException("there is no task " + rank);
        return rank;
    }

    private void begin(int rank, int port, Call call) throws IOException {
        TaskOrder order = orders.tasks().get(rank);
        TaskState task = progress.task(rank);
        if (progress.state().isStopping() || task.end().isPresent())
            throw new RefusedException(order.name() + " is stopped");
        progress.set(rank, task.begun(port));
        progress.write();
        call.accept();
        order.write(call.out());
    }

    private void ended(int rank, Call call) throws IOException {
        call.accept();
        TaskEnd end = TaskEnd.read(call.in());
        rests.take(rank, call.in());
        progress.end(rank, end);
        progress.write();
        call.out().writeByte(1);
    }

    /** The offset from which a log comes goes before it. */
    private void relay(int rank, List<String> words, Call call)
            throws IOException, InterruptedException {
        TaskState task = progress.task(rank);
        boolean isLog = words.get(0).equals(Verbs.LOG);
        if (task.end().isPresent()) {
            if (!isLog) throw new RefusedException("the task has ended");
            rests.send(rank, Long.parseLong(words.get(1)), call);
            return;
        }
        if (!task.hasBegun()) throw new RefusedException("the task has not begun yet");
        try (var other = keeper(task, words.toArray(new String[0]))) {
            call.accept();
            if (isLog) {
                call.out().writeLong(Long.parseLong(words.get(1)));
                call.out().flush();
            }
            call.join(other);
        }
    }
}
