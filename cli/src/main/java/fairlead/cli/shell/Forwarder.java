package fairlead.cli.shell;

import fairlead.api.ForwardBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.client.ExecChannel;
import fairlead.api.client.Refused;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.cli.verb.Wait;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Listens on ports of this machine and carries each connection to a port of a task, over a channel
 * of its own. What goes wrong with one connection is printed and ends that one alone.
 */
public final class Forwarder {
    public static final String LOOPBACK = "127.0.0.1";

    /** As many as a server carries for one job; further ones wait in the kernel's queue. */
    private static final int CONNECTIONS_MAX = 64;

    private final Session session;
    private final String name;
    private final String task;
    private final Semaphore places = new Semaphore(CONNECTIONS_MAX);
    private final CompletableFuture<Failure> end = new CompletableFuture<>();

    /**
     * @param task null: the first
     */
    public Forwarder(Session session, String name, String task) {
        this.session = session;
        this.name = name;
        this.task = task;
    }

    /** Returns only by what ends it: an end of the job, or Ctrl-C, which exits with 0. */
    public int run(List<PortPair> pairs, String address)
            throws UsageException, Failure, Refused, IOException {
        JobDetail detail = session.client().job(name).value();
        check(detail);
        var hook = new Thread(() -> Runtime.getRuntime().halt(ExitCode.OK), "interrupted");
        var listeners = new ArrayList<ServerSocket>();
        try {
            for (PortPair pair : pairs) listeners.add(listen(address, pair));
            Runtime.getRuntime().addShutdownHook(hook);
            for (int i = 0; i < pairs.size(); i++) begin(listeners.get(i), pairs.get(i));
            Thread.ofVirtual().start(() -> endWith(detail.job()));
            throw end.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        } catch (ExecutionException bug) {
            throw new IllegalStateException(bug);
        } finally {
            for (ServerSocket each : listeners) each.close();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void check(JobDetail detail) throws Failure {
        String id = detail.job().id();
        if (!detail.job().state().equals("running"))
            throw new Failure(
                    ExitCode.REFUSED,
                    id
                            + " "
                            + Words.standing(detail.job().state())
                            + "; only a running job has ports to reach");
        boolean isKnown =
                task == null || detail.tasks().stream().anyMatch(each -> each.task().equals(task));
        if (!isKnown) throw new Failure(ExitCode.REFUSED, id + " has no task " + task);
    }

    private static ServerSocket listen(String address, PortPair pair) throws Failure, IOException {
        var listener = new ServerSocket();
        try {
            listener.bind(new InetSocketAddress(InetAddress.getByName(address), pair.local()));
            return listener;
        } catch (IOException problem) {
            listener.close();
            String why =
                    problem instanceof UnknownHostException
                            ? "no such address"
                            : problem.getMessage();
            throw new Failure(
                    ExitCode.REFUSED,
                    "cannot listen on " + address + ":" + pair.local() + ": " + why);
        }
    }

    private void begin(ServerSocket listener, PortPair pair) throws IOException {
        String host = listener.getInetAddress().getHostAddress();
        String shown = host.contains(":") ? "[" + host + "]" : host;
        session.out()
                .line(
                        "Forwarding from %s:%d -> %d"
                                .formatted(shown, listener.getLocalPort(), pair.port()));
        session.out().flush();
        Thread.ofPlatform()
                .daemon()
                .name("port-" + listener.getLocalPort())
                .start(() -> accept(listener, pair));
    }

    private void accept(ServerSocket listener, PortPair pair) {
        try {
            while (!listener.isClosed()) {
                places.acquire();
                Socket local = listener.accept();
                Thread.ofVirtual().start(() -> carry(local, pair));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException problem) {
            // Also a listener that is closed because the command ends; then nobody waits any more.
            end.complete(new Failure(ExitCode.REFUSED, "cannot listen: " + problem.getMessage()));
        }
    }

    private void carry(Socket local, PortPair pair) {
        try (local;
                var channel = channel(pair)) {
            new Forwarded(local, channel).run().ifPresent(words -> tell(pair, words));
        } catch (Refused refused) {
            tell(pair, Refusal.words(refused));
        } catch (IOException | UsageException | Failure problem) {
            tell(pair, problem.getMessage());
        } finally {
            places.release();
        }
    }

    /** It has a connection of its own, which outlives its client. */
    private ExecChannel channel(PortPair pair)
            throws UsageException, Failure, Refused, IOException {
        try (var client = session.another()) {
            return client.forward(name, new ForwardBody(task, pair.port()));
        }
    }

    private synchronized void tell(PortPair pair, String words) {
        session.say("a connection to port " + pair.port() + " failed: " + words);
    }

    /** No connection comes to a job that is over; one that only waits again may come back. */
    private void endWith(JobBody job) {
        try {
            JobBody over = Wait.ended(job, Long.MAX_VALUE, session);
            end.complete(
                    new Failure(
                            ExitCode.REFUSED,
                            over.id() + " is over: " + Words.state(over.state())));
        } catch (Refused gone) {
            end.complete(new Failure(ExitCode.REFUSED, Refusal.words(gone)));
        } catch (Failure failure) {
            end.complete(failure);
        } catch (IOException | UsageException lost) {
            end.complete(new Failure(ExitCode.UNREACHABLE, lost.getMessage()));
        } catch (RuntimeException bug) {
            end.completeExceptionally(bug);
        }
    }
}
