package fairlead.cli.act.verb;

import fairlead.api.JobBody;
import fairlead.api.client.Refused;
import fairlead.cli.act.ActJobs;
import fairlead.cli.act.assets.AssetFolder;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The newest jobs in some states as ACT lists them. Nothing is fetched; of a job that failed the
 * causes are shown where its logs are here.
 *
 * @param states of the server's, or null for any
 */
public record QueryList(List<String> names, List<String> states, String says) implements Verb {
    /** What is read at a glance; more can be asked for. */
    private static final int SHOWN_DEFAULT = 50;

    static final QueryList ALL =
            new QueryList(List.of("query"), Arrays.asList((String) null), "jobs");

    public static QueryList failed() {
        return new QueryList(List.of("failed", "f", "qf"), List.of("failed"), "jobs that failed");
    }

    public static QueryList queued() {
        return new QueryList(List.of("qq"), List.of("queued", "starting"), "jobs that wait");
    }

    public static QueryList running() {
        return new QueryList(List.of("qr"), List.of("running"), "jobs that run");
    }

    @Override
    public Usage usage() {
        return Usage.reads(
                names,
                "",
                0,
                "list " + says + ", newest first",
                List.of(
                        ActOptions.MAX,
                        ActOptions.NO_LOG,
                        ActOptions.NO_DETAILS,
                        ActOptions.NO_FULL_LOG,
                        ActOptions.WITH_LOG,
                        Option.CLUSTER),
                List.of(Example.of("fairlead " + names.getLast(), says + ", as a table")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        int most = arguments.number(ActOptions.MAX, 1).orElse(SHOWN_DEFAULT);
        ActJobs.Listed listed = ActJobs.newest(states, most, arguments, session);
        if (arguments.has(Option.JSON)) {
            session.json(ActJobs.page(listed).json());
            return ExitCode.OK;
        }
        var rows = new ArrayList<ActFacts>();
        for (JobBody job : listed.jobs()) rows.add(row(job, session));
        listed.notes().forEach(session::say);
        if (rows.isEmpty()) session.say("there are no " + says);
        else session.out().print(ActTable.of(rows));
        if (listed.isMore()) session.say("there are more; --max K shows them");
        return ExitCode.OK;
    }

    private static ActFacts row(JobBody job, Session session)
            throws UsageException, Failure, Refused, IOException {
        ActFacts facts = ActFacts.of(ActJobs.whole(job, session), session.now());
        if (!job.state().equals("failed")) return facts;
        AssetFolder root = AssetFolder.of(session.terminal());
        for (Path folder : root.of(job.id())) facts.logs(root.logsIn(folder), true);
        return facts;
    }
}
