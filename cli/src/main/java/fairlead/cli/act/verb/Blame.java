package fairlead.cli.act.verb;

import fairlead.api.JobBody;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.cli.act.Configs;
import fairlead.cli.act.Targets;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.JobTable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/** Shows the jobs that have run the longest, everybody's. */
public final class Blame implements Verb {
    private static final int SHOWN = 5;

    /** More never run on one server. */
    private static final int RUNNING_MAX = 1_000_000;

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("blame"),
                "",
                0,
                "show the 5 jobs that have run the longest",
                List.of(Option.CLUSTER),
                List.of(Example.of("fairlead blame", "everybody's, the longest first")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var config = Configs.asked(arguments, session);
        String cluster = Configs.cluster(arguments, config);
        var running = new ArrayList<JobBody>();
        var notes = new LinkedHashSet<String>();
        var filter = new JobFilter("running", null, null, cluster, null, null);
        try {
            JobPages.pages(session.client(), filter, RUNNING_MAX, running, notes);
        } catch (Refused e) {
            throw Targets.explained(e, config, session);
        }
        notes.forEach(session::say);
        running.removeIf(job -> job.started() == null);
        running.sort(Comparator.comparing(JobBody::started).thenComparing(JobBody::id));
        List<JobBody> longest = running.subList(0, Math.min(running.size(), SHOWN));
        if (longest.isEmpty()) session.say("nothing runs");
        else session.out().print(JobTable.of(longest, session));
        return ExitCode.OK;
    }
}
