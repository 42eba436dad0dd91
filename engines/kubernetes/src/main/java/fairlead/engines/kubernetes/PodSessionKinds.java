package fairlead.engines.kubernetes;

import fairlead.engines.kubernetes.apiserver.PodSession;
import fairlead.engines.kubernetes.apiserver.PodSocket;
import fairlead.engines.kubernetes.apiserver.PodStatus;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** How the three kinds of a pod's sessions end. */
final class PodSessionKinds {
    private PodSessionKinds() {}

    private static String broken(PodSocket socket) {
        return socket.trouble().map(why -> "the connection to the pod broke: " + why).orElse("");
    }

    /**
     * A command beside the task. One whose user goes away hears the end of its input, or of its
     * terminal; what then still runs ends with the pod, as a cluster offers no more.
     */
    record Command(PodSocket socket, boolean hasTerminal) implements PodSession.Kind {
        @Override
        public void inputEnded() throws IOException {
            if (!hasTerminal) socket.end(PodSession.Channels.OF_COMMAND.input());
        }

        @Override
        public int code() {
            return PodStatus.of(socket.status()).code();
        }

        @Override
        public String words() {
            String said = PodStatus.of(socket.status()).words();
            return said.isEmpty() ? broken(socket) : said;
        }
    }

    /** The task itself, to which others may attach later: its input does not end with ours. */
    record Task(PodSocket socket, LiveAttempt attempt, LiveTask task) implements PodSession.Kind {
        /** A kubelet reports an end within a second or two, and the rest of the log is fetched. */
        private static final Duration REPORTED_WITHIN = Duration.ofSeconds(30);

        private static final Duration LOOK_PERIOD = Duration.ofMillis(50);

        @Override
        public void inputEnded() {}

        /** The connection does not say, so it is the one that the pod has. */
        @Override
        public int code() throws InterruptedException {
            long deadline = System.nanoTime() + REPORTED_WITHIN.toNanos();
            while (!socket.isLeft() && System.nanoTime() - deadline < 0) {
                synchronized (attempt) {
                    if (task.seen != null) return task.seen.code().orElse(PodStatus.KILLED);
                }
                if (socket.trouble().isPresent()) break;
                Thread.sleep(LOOK_PERIOD);
            }
            return PodStatus.KILLED;
        }

        @Override
        public String words() {
            return broken(socket);
        }
    }

    /**
     * A port. The protocol cannot end one direction alone, so the end of the input ends all once
     * the port has been quiet for a while.
     */
    static final class Port implements PodSession.Kind {
        /** A server that still answers somebody who has said all does so within this. */
        private static final Duration QUIET_MAX = Duration.ofSeconds(10);

        private static final Duration LOOK_PERIOD = Duration.ofMillis(250);

        private final PodSocket socket;
        private boolean hasEnded;

        Port(PodSocket socket) {
            this.socket = socket;
        }

        @Override
        public synchronized void inputEnded() {
            if (hasEnded) return;
            hasEnded = true;
            Thread.ofVirtual().name("port-quiet").start(this::closeWhenQuiet);
        }

        private void closeWhenQuiet() {
            while (!socket.isOver()) {
                if (socket.quiet().compareTo(QUIET_MAX) > 0) socket.close();
                LockSupport.parkNanos(LOOK_PERIOD.toNanos());
            }
        }

        @Override
        public int code() {
            return 0;
        }

        @Override
        public String words() {
            return broken(socket);
        }
    }
}
