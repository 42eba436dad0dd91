package fairlead.cli.verb;

import fairlead.api.ErrorCode;
import fairlead.api.client.Client;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Signals;
import fairlead.cli.terminal.UsageException;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Aborts a job when the command that waits for it is ended by a signal. The Java runtime then exits
 * with 128 and the signal's number, which for Ctrl-C is 130. Where the terminal has gone away, the
 * job goes on: nobody has asked for its end.
 */
final class AbortOnInterrupt {
    /** A submit under way is waited for: its job may exist although its id is not known yet. */
    private static final int SUBMIT_SECONDS_MAX = 5;

    private final Session session;
    private final Client client;
    private final CompletableFuture<String> id = new CompletableFuture<>();
    private final Thread hook = new Thread(this::abort, "abort");
    private volatile boolean fired;

    AbortOnInterrupt(Session session) throws UsageException, Failure {
        this.session = session;
        this.client = session.another();
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void sayThatTheJobGoesOn() {
        String job = id.isDone() && !id.isCancelled() ? id.join() : "";
        // Its answer may still be on the way; the job is there all the same.
        session.say(
                job.isEmpty()
                        ? "the terminal has gone; the job goes on, and 'fairlead list' shows it"
                        : "the terminal has gone; job %1$s goes on, and 'fairlead logs -f %1$s' shows it again"
                                .formatted(job));
    }

    void submitted(String job) {
        id.complete(job);
    }

    /** Whether a signal has come; the hook then has the last word. */
    boolean fired() {
        return fired;
    }

    /** The command ends by itself. Does not return when a signal came first. */
    void disarm() {
        id.cancel(false);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            awaitEnd();
        }
    }

    /** The process ends when the hook is done, with the signal's code and not with ours. */
    private static void awaitEnd() {
        try {
            Thread.currentThread().join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void abort() {
        fired = true;
        if (Signals.isEndedBy("HUP")) {
            sayThatTheJobGoesOn();
            return;
        }
        // The terminal has written ^C behind whatever was there.
        session.endLine();
        try {
            String job = id.get(SUBMIT_SECONDS_MAX, TimeUnit.SECONDS);
            client.abort(job);
            session.say("job " + job + " aborted");
        } catch (Unreachable e) {
            session.say("the job could not be aborted: " + e.getMessage());
        } catch (Refused e) {
            if (!e.is(ErrorCode.CONFLICT))
                session.say("the job could not be aborted: " + e.getMessage());
        } catch (TimeoutException | ExecutionException | CancellationException _) {
            // Nothing was submitted, so there is nothing to abort.
            return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
