package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.LogEnd;
import fairlead.api.client.LogQuery;
import fairlead.api.client.Refused;
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
import java.util.List;

/** Shows what a job has written. */
public final class Logs implements Verb {
    private static final Option FOLLOW =
            Option.flag("--follow", "-f", "show new lines until the job ends");
    private static final Option TAIL = Option.valued("--tail", null, "N", "only the last N lines");
    private static final Option TASK =
            Option.valued("--task", null, "ROLE/INDEX", "which task; by default the first");
    private static final Option ATTEMPT =
            Option.valued("--attempt", null, "N", "which attempt, from 1; by default the newest");

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("logs"),
                "JOB",
                1,
                "show what a job has written",
                List.of(FOLLOW, TAIL, TASK, ATTEMPT),
                List.of(
                        Example.of("fairlead logs --tail 20 " + Example.JOB, "the last 20 lines"),
                        Example.of(
                                "fairlead logs -f --task main/0 --attempt 1 " + Example.JOB,
                                "follow one task of the first attempt")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String id = arguments.some("job").getFirst();
        var query =
                new LogQuery(
                        arguments.text(TASK).orElse(null),
                        arguments.numberOrNull(ATTEMPT, 1),
                        arguments.numberOrNull(TAIL, 0),
                        null);
        if (arguments.has(FOLLOW)) follow(session, id, query);
        else show(session, id, query);
        return ExitCode.OK;
    }

    /** Until the job ends; while it waits, with the reason. */
    public static void follow(Session session, String id, LogQuery query)
            throws UsageException, Failure, Refused, IOException {
        JobBody job = session.client().job(id).value().job();
        if (query.attempt() == null) tellEarlier(job.attempts(), id, session);
        if (query.task() == null) hintTasks(job, id, session);
        try (var notice = new WaitingNotice(session, id)) {
            var follower = new LogFollower(session, id, query, notice);
            notice.start();
            follower.follow();
        }
    }

    /** What there is by now; where there is nothing yet, the reason. */
    public static void show(Session session, String id, LogQuery query)
            throws UsageException, Failure, Refused, IOException {
        var client = session.client();
        LogEnd end = client.logs(id, query, 0, session.out());
        if (end.attempt() == 0)
            session.say(
                    WaitingNotice.words(client.why(id).value(), session.terminal().zone())
                            + "; it has not run, so there is no log");
        if (query.attempt() == null) tellEarlier(end.attempt(), id, session);
        if (query.task() == null && end.attempt() > 0)
            hintTasks(client.job(id).value().job(), id, session);
    }

    /** What went wrong is often in the log of an earlier attempt, which is not the one shown. */
    public static void tellEarlier(int attempt, String id, Session session) {
        if (attempt < 2) return;
        session.say(
                "this is the log of attempt %d; 'fairlead logs --attempt %d %s' shows the one before it"
                        .formatted(attempt, attempt - 1, id));
    }

    /** The first task is often a server that says nothing of what the others do. */
    private static void hintTasks(JobBody job, String id, Session session) {
        if (job.tasks() < 2) return;
        session.say(
                "this is the log of the first of %d tasks; 'fairlead list --tasks %s' names all, for --task ROLE/INDEX"
                        .formatted(job.tasks(), id));
    }
}
