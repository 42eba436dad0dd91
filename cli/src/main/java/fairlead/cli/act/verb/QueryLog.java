package fairlead.cli.act.verb;

import fairlead.api.ErrorCode;
import fairlead.api.JobDetail;
import fairlead.api.client.LogQuery;
import fairlead.api.client.Refused;
import fairlead.cli.act.assets.AssetFolder;
import fairlead.cli.act.assets.FirstRank;
import fairlead.cli.act.assets.JobAssets;
import fairlead.cli.act.assets.Unkept;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.Logs;
import fairlead.dialects.act.ActOrigin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The logs of one job that is asked about, kept in {@code ./assets} where that can be. */
public final class QueryLog {
    /** Each look reads this many times more; three are enough for nearly every log. */
    private static final int TAIL_GROWTH = 10;

    /** Beyond this the first rank is not worth the way: 'query' without the option keeps it all. */
    private static final int TAIL_LINES_MAX = 1_000_000;

    private final Session session;
    private final JobDetail detail;
    private final String status;
    private final JobAssets assets;
    private boolean isAtServer = true;

    public QueryLog(Session session, JobDetail detail) throws Failure {
        this(session, detail, JobAssets.Layout.ACT);
    }

    public QueryLog(Session session, JobDetail detail, JobAssets.Layout layout) throws Failure {
        this.session = session;
        this.detail = detail;
        String state = detail.job().state();
        this.status =
                layout == JobAssets.Layout.ACT ? ActStatus.act(state) : ActStatus.philly(state);
        this.assets = new JobAssets(AssetFolder.of(session.terminal()), detail, layout);
    }

    /** How much of the logs is wanted. */
    enum Amount {
        /** All of them, kept here. */
        ALL,
        /** The end of the first, shown and not kept. */
        END,
        NONE;

        /** No details means no log, and no log means none in full. */
        static Amount of(Arguments arguments) {
            if (arguments.has(ActOptions.NO_DETAILS) || arguments.has(ActOptions.NO_LOG)) {
                return NONE;
            }
            return arguments.has(ActOptions.NO_FULL_LOG) ? END : ALL;
        }
    }

    /** Returns whether they are here; otherwise it has said why not. */
    public boolean fetch() throws UsageException, Failure, Refused, IOException {
        try {
            assets.fetch(session, status);
            return true;
        } catch (Unkept e) {
            session.say("the logs cannot be kept in " + assets.folder() + ": " + e.getMessage());
            return false;
        } catch (Refused e) {
            // The facts are worth telling where the logs are gone or their cluster is away.
            boolean isAway = e.is(ErrorCode.NOT_FOUND) || e.is(ErrorCode.UNAVAILABLE);
            if (!isAway) throw e;
            session.say("there are no logs: " + Refusal.words(e));
            isAtServer = false;
            return false;
        }
    }

    List<Path> files() throws IOException {
        return assets.files();
    }

    /** The last lines of the first rank, from the file here. */
    public List<String> end() throws IOException {
        List<Path> files = files();
        return files.isEmpty() ? List.of() : AssetFolder.end(files.getFirst(), ActFacts.LINES);
    }

    /** The same straight from the server. */
    public void printEnd() throws UsageException, Failure, Refused, IOException {
        if (detail.job().attempts() == 0 || !isAtServer) return;
        boolean isTagged = JobAssets.isTagged(detail);
        int asked = ActFacts.LINES * FirstRank.linesNeeded(isTagged, ActOrigin.of(detail));
        while (true) {
            var end = new FirstRank(isTagged, ActFacts.LINES);
            session.client().logs(detail.job().id(), new LogQuery(null, null, asked, null), end);
            // Other ranks may have written much more, so that the first is further back.
            boolean isEnough = !isTagged || end.lines().size() == ActFacts.LINES;
            if (isEnough || end.seen() < asked || asked == TAIL_LINES_MAX) {
                for (String line : end.lines()) session.out().line(line);
                return;
            }
            asked = Math.min(TAIL_LINES_MAX, asked * TAIL_GROWTH);
        }
    }

    /** Says where the log of the attempt before is, which is not the one shown. */
    public void tellEarlier() {
        Logs.tellEarlier(detail.job().attempts(), detail.job().id(), session);
    }

    public ActFacts facts() throws IOException {
        ActFacts facts = ActFacts.of(detail, session.now());
        facts.logs(files(), detail.job().state().equals("failed"));
        return facts;
    }
}
