package fairlead.engines.yarn.keeper;

import fairlead.engines.yarn.relay.Call;
import fairlead.engines.yarn.relay.RefusedException;
import fairlead.engines.yarn.relay.Relay;
import fairlead.engines.yarn.relay.TaskEnd;
import fairlead.engines.yarn.relay.TaskOrder;
import fairlead.engines.yarn.relay.Verbs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs one task: fetches its order from the master, starts it, and tells the master how it ended.
 * It exits with the task's own code, which YARN reports to a master that was away.
 */
public final class Keeper {
    public static final String MASTER = Task.OWN + "MASTER";
    public static final String SECRET = Task.OWN + "SECRET";
    public static final String RANK = Task.OWN + "RANK";
    public static final String LOGS = Task.OWN + "LOGS";

    /** The task's log, among those of its container. */
    public static final String LOG = "stdout";

    /** No task has begun: the master was not to be reached. */
    public static final int NOT_BEGUN = 213;

    private static final int BEGIN_TRIES = 20;

    /** A master that died is followed by another, which says where it is, within half a minute. */
    private static final int END_TRIES = 60;

    private static final long PAUSE_MILLIS = 500;

    /** For those who read the log, to come to its end. */
    private static final long READERS_MILLIS_MAX = 2_000;

    /** What nobody has read is sent along with the end; more is in YARN's own logs. */
    private static final long REST_BYTES_MAX = 16 << 20;

    /** Host and port. */
    private volatile String master;

    private final String secret;
    private final String rank;
    private final LogFile log;
    private final Task task;

    private Keeper() throws IOException {
        this.master = System.getenv(MASTER);
        this.secret = System.getenv(SECRET);
        this.rank = System.getenv(RANK);
        this.log = new LogFile(Path.of(System.getenv(LOGS), LOG));
        this.task = new Task(log);
    }

    public static void main(String[] arguments) throws Exception {
        int code = new Keeper().run();
        // Threads of sessions may still be there.
        Runtime.getRuntime().halt(code);
    }

    private int run() throws IOException, InterruptedException {
        try (var relay = new Relay(secret, this::answer)) {
            TaskOrder order;
            try {
                order = begin(relay.port());
            } catch (IOException problem) {
                System.err.println("the master does not answer: " + problem);
                return NOT_BEGUN;
            }
            TaskEnd end = task.run(order);
            log.complete();
            tell(end);
            return end.code();
        }
    }

    private TaskOrder begin(int port) throws IOException, InterruptedException {
        IOException last = null;
        for (int i = 0; i < BEGIN_TRIES; i++) {
            try (var call = call(Verbs.BEGIN, rank, Integer.toString(port))) {
                return TaskOrder.read(call.in());
            } catch (RefusedException refused) {
                throw refused;
            } catch (IOException problem) {
                last = problem;
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        throw last;
    }

    private void tell(TaskEnd end) throws IOException, InterruptedException {
        for (int i = 0; i < END_TRIES; i++) {
            long read = log.awaitReaders(READERS_MILLIS_MAX);
            long from = Math.max(read, log.end() - REST_BYTES_MAX);
            try (var call = call(Verbs.ENDED, rank)) {
                end.write(call.out());
                call.out().writeLong(from);
                call.out().flush();
                log.copy(from, call.out());
                call.endOutput();
                if (call.in().read() >= 0) return;
            } catch (IOException problem) {
                // After the last try YARN reports the code, and has the log.
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private Call call(String... words) throws IOException {
        String address = master;
        int colon = address.lastIndexOf(':');
        int port = Integer.parseInt(address.substring(colon + 1));
        return Call.open(address.substring(0, colon), port, secret, words);
    }

    private void answer(List<String> words, Call call) throws IOException, InterruptedException {
        switch (words.get(0)) {
            case Verbs.LOG -> {
                call.accept();
                log.follow(Long.parseLong(words.get(1)), call);
            }
            case Verbs.STOP -> {
                task.stop(Long.parseLong(words.get(1)));
                call.accept();
            }
            case Verbs.MASTER -> {
                master = words.get(1) + ":" + words.get(2);
                call.accept();
            }
            case Verbs.NOTE -> {
                log.note(words.get(1));
                call.accept();
            }
            case Verbs.EXEC -> {
                if (!task.isRunning()) throw new RefusedException("the task has ended");
                Exec.serve(task, words.subList(1, words.size()), call);
            }
            case Verbs.FORWARD -> forward(Integer.parseInt(words.get(1)), call);
            default -> throw new RefusedException("a keeper knows no " + words.get(0));
        }
    }

    private static void forward(int port, Call call) throws IOException, InterruptedException {
        Socket socket;
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException nobody) {
            throw new RefusedException("nobody listens on port " + port);
        }
        try (socket;
                var target = Call.of(socket)) {
            call.accept();
            call.join(target);
        }
    }
}
