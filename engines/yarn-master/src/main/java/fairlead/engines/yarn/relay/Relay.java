package fairlead.engines.yarn.relay;

import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Listens for calls, of which each has a thread of its own. */
public final class Relay implements Closeable {
    /** What is asked of a master or keeper. */
    public interface Handler {
        /**
         * Does what was asked, and calls {@link Call#accept} before it answers anything.
         *
         * @throws RefusedException before that, to say why not
         */
        void answer(List<String> words, Call call) throws IOException, InterruptedException;
    }

    /** Logs of a thousand tasks, and a few sessions. */
    private static final int CALLS_MAX = 2_048;

    private final ServerSocket socket;
    private final String secret;
    private final Handler handler;
    private final Semaphore places = new Semaphore(CALLS_MAX);

    public Relay(String secret, Handler handler) throws IOException {
        this.secret = secret;
        this.handler = handler;
        this.socket = new ServerSocket(0);
        thread("relay", this::accept);
    }

    private static void thread(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket caller = socket.accept();
                if (places.tryAcquire()) thread("call", () -> serve(caller));
                else caller.close();
            } catch (IOException problem) {
                // One that was closed before it was accepted, or this one: then the loop ends.
            }
        }
    }

    private void serve(Socket caller) {
        try (caller;
                var call = new Call(caller)) {
            caller.setSoTimeout(Call.GREETING_MILLIS_MAX);
            byte[] question = Secret.question();
            call.out().write(question);
            call.out().flush();
            byte[] answer = call.in().readNBytes(Secret.BYTES);
            if (!Secret.isAnswer(secret, question, answer)) return;
            List<String> words = Fields.texts(call.in());
            caller.setSoTimeout(0);
            try {
                handler.answer(words, call);
            } catch (RefusedException refusal) {
                call.refuse(refusal.getMessage());
            }
            call.out().flush();
        } catch (IOException gone) {
            // The caller has gone; it asks again if it still wants something.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            places.release();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
