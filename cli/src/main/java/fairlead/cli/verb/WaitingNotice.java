package fairlead.cli.verb;

import fairlead.api.WhyBody;
import fairlead.api.client.Client;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Output;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.TerminalWidth;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/**
 * Shows on the standard error why a job does not run, also when it waits once more after a stop: on
 * a terminal in one line, which is rewritten in place and gone when the job runs; elsewhere in a
 * line each time that the reason changes.
 */
final class WaitingNotice extends Thread implements AutoCloseable {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration ON_TERMINAL = Duration.ofSeconds(2);
    private static final Duration ELSEWHERE = Duration.ofSeconds(10);

    /** Of a status: what stands before it, the dots of one that is cut, and the cursor. */
    private static final int BESIDE = "fairlead: ".length() + "...".length() + 1;

    private final Session session;
    private final Client client;
    private final String id;
    private final boolean isLive;

    /** How often the job's log was heard of; guarded by this. */
    private long heard;

    /** Whether the last line of the log has no end yet; guarded by this. */
    private boolean isMidLine;

    private boolean isClosed;
    private String told = "";

    WaitingNotice(Session session, String id) throws UsageException, Failure {
        super("waiting-notice");
        setDaemon(true);
        this.session = session;
        this.client = session.another();
        this.id = id;
        this.isLive = session.terminal().errIsTerminal();
    }

    @Override
    public void run() {
        int width = isLive ? TerminalWidth.of(session.terminal()) - BESIDE : 0;
        try (client) {
            Thread.sleep(FIRST);
            while (true) {
                long before = heard();
                String reason = reason();
                if (isLive) show(Paint.plain(reason, width), before);
                else if (!reason.isEmpty() && !reason.equals(told)) session.say(reason);
                told = reason;
                Thread.sleep(isLive && !reason.isEmpty() ? ON_TERMINAL : ELSEWHERE);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Output.Closed _) {
            // Nobody watches any more.
            return;
        }
    }

    private synchronized long heard() {
        return heard;
    }

    /** What the log said meanwhile makes the reason an old one. */
    private synchronized void show(String reason, long before) throws Output.Closed {
        if (isClosed || heard != before) return;
        if (!reason.isEmpty() && isMidLine) session.endLine();
        if (!reason.isEmpty()) isMidLine = false;
        session.status(reason);
    }

    /** To be called before a text of the log is printed: the line goes away. Any thread. */
    synchronized void hear(String text) throws Output.Closed {
        heard++;
        isMidLine = !text.endsWith("\n");
        session.status("");
    }

    /** Nothing more is shown. */
    @Override
    public synchronized void close() throws Output.Closed {
        isClosed = true;
        interrupt();
        session.status("");
    }

    /** The job's state, and what keeps it from running. */
    static String words(WhyBody why, ZoneId zone) {
        return "job " + why.id() + " " + shortWords(why, zone);
    }

    private static String shortWords(WhyBody why, ZoneId zone) {
        List<String> obstacles = why.obstacles() == null ? List.of() : why.obstacles();
        String reasons = obstacles.isEmpty() ? "" : ": " + String.join("; ", obstacles);
        return Words.state(why.state()) + Words.localTimes(reasons, zone);
    }

    private String reason() {
        try {
            WhyBody why = client.why(id).value();
            boolean isWaited = why.state().equals("queued") || why.state().equals("starting");
            if (!isWaited) return "";
            ZoneId zone = session.terminal().zone();
            // On a terminal the job was just named, by the user or by us, and lines are short.
            return isLive ? shortWords(why, zone) : words(why, zone);
        } catch (Unreachable | Refused _) {
            // Whoever follows the log reports it.
            return "";
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}
