package fairlead.cli.runai;

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
import fairlead.dialects.runai.JobWords;

import java.io.IOException;
import java.util.List;

/**
 * {@code suspend} and {@code resume}. A suspended job is one that was stopped and keeps its name
 * and its place in the list; resumed, it begins anew, as its processes are gone.
 */
enum RunaiSuspend implements Verb {
    SUSPEND("suspend", "stop jobs that keep their names, until 'runai resume'") {
        @Override
        boolean isFor(JobBody job) {
            return !RunaiJobs.isOver(job);
        }

        @Override
        String change(JobBody job, Session session)
                throws UsageException, Failure, Refused, IOException {
            JobBody ended = RunaiDelete.ended(job, session);
            if (isSuspended(ended)) return "has been suspended";
            throw new Failure(
                    Runai.REFUSED,
                    "the job '"
                            + job.name()
                            + "' has ended before it could be suspended: "
                            + JobWords.status(ended));
        }
    },

    RESUME("resume", "start suspended jobs again, from their beginning") {
        @Override
        boolean isFor(JobBody job) {
            return isSuspended(job);
        }

        /** The new one first: whatever fails, nothing is lost. */
        @Override
        String change(JobBody job, Session session)
                throws UsageException, Failure, Refused, IOException {
            session.client().resubmit(job.id(), null);
            session.client().delete(job.id());
            return "has been resumed";
        }
    };

    private static final Option ALL = Option.flag("--all", "-A", "all such jobs of the project");

    private final String verb;
    private final String summary;

    RunaiSuspend(String verb, String summary) {
        this.verb = verb;
        this.summary = summary;
    }

    abstract boolean isFor(JobBody job);

    /** Returns what has become of the job, after its name. */
    abstract String change(JobBody job, Session session)
            throws UsageException, Failure, Refused, IOException;

    private static boolean isSuspended(JobBody job) {
        return job.state().equals("cancelled");
    }

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai " + verb, "runai " + verb + " job"),
                "NAME...",
                Usage.MANY,
                summary,
                List.of(Runai.PROJECT, ALL),
                List.of(
                        new Example(
                                "fairlead runai " + verb + " " + Example.JOB,
                                "refused for a job that has ended by itself",
                                Runai.REFUSED)));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        int code = ExitCode.OK;
        if (arguments.has(ALL)) {
            if (!arguments.operands().isEmpty()) {
                throw new UsageException("say names or " + ALL.name() + ", not both");
            }
            String project = Runai.project(arguments, session);
            for (JobBody job : RunaiJobs.all(session.client(), project)) {
                if (isFor(job)) code = Math.max(code, told(job, session));
            }
            return code;
        }
        for (String name : arguments.some("job")) {
            try {
                code = Math.max(code, told(RunaiJobs.only(name, arguments, session), session));
            } catch (Failure e) {
                session.say(e.getMessage());
                code = e.exitCode();
            }
        }
        return code;
    }

    private int told(JobBody job, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            if (!isFor(job)) {
                throw new Failure(
                        Runai.REFUSED,
                        "the job '"
                                + job.name()
                                + "' is "
                                + JobWords.status(job)
                                + "; there is nothing to "
                                + verb);
            }
            session.out().line("The job '" + job.name() + "' " + change(job, session));
            return ExitCode.OK;
        } catch (Refused e) {
            session.say(Refusal.words(e));
        } catch (Failure e) {
            session.say(e.getMessage());
        }
        return Runai.REFUSED;
    }
}
