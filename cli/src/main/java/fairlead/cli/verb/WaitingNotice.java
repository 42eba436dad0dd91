package fairlead.cli.verb;

import fairlead.api.WhyBody;
import fairlead.api.client.Client;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Tells on the standard error why a job does not start, each time that the reason changes. */
final class WaitingNotice extends Thread {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration NEXT = Duration.ofSeconds(10);

    private final Session session;
    private final Client client;
    private final String id;
    private final BooleanSupplier begun;

    WaitingNotice(Session session, String id, BooleanSupplier begun)
            throws UsageException, Failure {
        super("waiting-notice");
        setDaemon(true);
        this.session = session;
        this.client = session.another();
        this.id = id;
        this.begun = begun;
    }

    @Override
    public void run() {
        String told = "";
        try (client) {
            for (Duration pause = FIRST; !begun.getAsBoolean(); pause = NEXT) {
                Thread.sleep(pause);
                if (begun.getAsBoolean()) return;
                String reason = reason();
                if (!reason.isEmpty() && !reason.equals(told)) session.say(reason);
                told = reason;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The job's state, and what keeps it from running. */
    static String words(WhyBody why, ZoneId zone) {
        List<String> obstacles = why.obstacles() == null ? List.of() : why.obstacles();
        String reasons = obstacles.isEmpty() ? "" : ": " + String.join("; ", obstacles);
        return "job " + why.id() + " " + Words.state(why.state()) + Words.localTimes(reasons, zone);
    }

    private String reason() {
        try {
            WhyBody why = client.why(id).value();
            boolean isWaited = why.state().equals("queued") || why.state().equals("starting");
            return isWaited ? words(why, session.terminal().zone()) : "";
        } catch (Unreachable | Refused _) {
            // Whoever follows the log reports it.
            return "";
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}
