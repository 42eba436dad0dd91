package fairlead.cli.runai;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.Wait;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Stops jobs, where they run, and frees their names; their logs go with them. */
final class RunaiDelete implements Verb {
    private static final Option ALL = Option.flag("--all", "-A", "all jobs of the project");

    /** A task gets the server's stop-grace before it is killed, which may be a minute. */
    private static final Duration STOP_MAX = Duration.ofMinutes(3);

    @Override
    public Usage usage() {
        return new Usage(
                List.of("runai delete", "runai delete job", "runai delete jobs"),
                "NAME...",
                Usage.MANY,
                false,
                "stop jobs and free their names",
                "Returns when the jobs have ended. Their logs are removed.",
                List.of(Runai.PROJECT, ALL),
                List.of(
                        Example.of(
                                "fairlead runai delete " + Example.JOB,
                                "by its name, or by the id that 'fairlead list' shows")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (arguments.has(ALL)) return all(arguments, session);
        int code = ExitCode.OK;
        for (String name : arguments.some("job")) {
            try {
                delete(RunaiJobs.only(name, arguments, session), session);
            } catch (Refused e) {
                session.say(Refusal.words(e));
                code = Runai.REFUSED;
            } catch (Failure e) {
                session.say(e.getMessage());
                code = e.exitCode();
            }
        }
        return code;
    }

    private static int all(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (!arguments.operands().isEmpty()) {
            throw new UsageException("say names or " + ALL.name() + ", not both");
        }
        String project = Runai.project(arguments, session);
        List<JobBody> jobs = RunaiJobs.all(session.client(), project);
        // All are told to stop first, so that they end at the same time.
        var stopped = new ArrayList<JobBody>();
        int code = ExitCode.OK;
        for (JobBody job : jobs) {
            try {
                stopped.add(stop(job, session));
            } catch (Refused e) {
                session.say(Refusal.words(e));
                code = Runai.REFUSED;
            }
        }
        for (JobBody job : stopped) {
            try {
                delete(job, session);
            } catch (Refused e) {
                session.say(Refusal.words(e));
                code = Runai.REFUSED;
            }
        }
        return code;
    }

    private static JobBody stop(JobBody job, Session session)
            throws UsageException, Failure, Refused, IOException {
        boolean stops = RunaiJobs.isOver(job) || job.state().equals("stopping");
        if (stops) return job;
        try {
            return session.client().abort(job.id()).value();
        } catch (Refused e) {
            // It has ended by itself in between, or is just being stopped.
            if (e.is(ErrorCode.CONFLICT)) return session.client().job(job.id()).value().job();
            throw e;
        }
    }

    /** The job once it has ended, for which it is stopped. */
    static JobBody ended(JobBody job, Session session)
            throws UsageException, Failure, Refused, IOException {
        long deadline = System.nanoTime() + STOP_MAX.toNanos();
        JobBody ended = Wait.ended(stop(job, session), deadline, session);
        if (!RunaiJobs.isOver(ended)) {
            throw new Failure(
                    Runai.REFUSED,
                    "the job '"
                            + job.name()
                            + "' is still "
                            + ended.state()
                            + "; repeat this later");
        }
        return ended;
    }

    private static void delete(JobBody job, Session session)
            throws UsageException, Failure, Refused, IOException {
        ended(job, session);
        session.client().delete(job.id());
        session.out().line("The job '" + job.name() + "' has been deleted");
    }
}
