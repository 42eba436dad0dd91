package fairlead.cli.act;

import fairlead.api.JobDetail;
import fairlead.api.SubmitAnswer;
import fairlead.api.client.Answer;
import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
import fairlead.cli.job.Here;
import fairlead.cli.job.Submission;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.ActRequest;
import fairlead.dialects.act.config.ClusterConfig;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job of ACT or Philly once more, by a config file as it is now. The old job is aborted when the
 * server takes the new one, and that is sent only where it has its code.
 */
public record ActAgain(Arguments arguments, Session session) {
    private static final String UNABORTED = "; nothing was aborted";

    /** A job that the server would take, and whose stores have what it needs. */
    public record Ready(JobDetail old, Submission submission, ClusterConfig config) {
        public Answer<SubmitAnswer> submit(Session session)
                throws UsageException, Failure, Refused, IOException {
            Answer<SubmitAnswer> answer = submission.submitInstead(old.job().id(), session);
            session.say(
                    old.job().id()
                            + (isActive(old) ? " is aborted, and" : " is")
                            + " submitted again to '"
                            + config.name()
                            + "' as "
                            + String.join(", ", answer.value().ids()));
            return answer;
        }
    }

    /** Asks all that can be asked before the old job is touched. */
    public Ready ready(JobDetail old, ActJob job, ClusterConfig config)
            throws UsageException, Failure, Refused, IOException {
        try {
            Submission submission = submission(old, job, config);
            dryRun(submission, config);
            SpecBody spec = submission.bodies().getFirst();
            StoreCheck check = StoreCheck.of(config, spec);
            if (isActive(old))
                check.require(config, job, ActOrigin.of(spec).orElseThrow(), session);
            else check.tell(config, session);
            return new Ready(old, submission, config);
        } catch (UsageException e) {
            if (!isActive(old)) throw e;
            throw unaborted(ExitCode.USAGE, e.getMessage());
        } catch (Failure e) {
            throw isActive(old) ? unaborted(e.exitCode(), e.getMessage()) : e;
        } catch (Refused e) {
            if (!isActive(old)) throw e;
            throw unaborted(e.exitCode(), Refusal.words(e));
        }
    }

    /** What the server refuses may be what the file's engine names. */
    private void dryRun(Submission submission, ClusterConfig config)
            throws UsageException, Failure, Refused, IOException {
        try {
            submission.dryRun(session);
        } catch (Failure e) {
            throw Targets.explained(e, config, session);
        }
    }

    /** A failure before anything was aborted, which it says once. */
    public static Failure unaborted(int exitCode, String words) {
        return new Failure(exitCode, words.endsWith(UNABORTED) ? words : words + UNABORTED);
    }

    private static boolean isActive(JobDetail job) {
        return !Words.isOver(job.job().state());
    }

    /**
     * The same where its config file is not here: the server submits the job's own spec once more.
     */
    public static Answer<SubmitAnswer> asItWas(
            JobDetail old, ActJob job, Integer gpus, Session session)
            throws UsageException, Failure, Refused, IOException {
        Answer<SubmitAnswer> answer = session.client().resubmit(old.job().id(), gpus);
        session.say(
                "there is no config file for '"
                        + job.config()
                        + "' here: "
                        + old.job().id()
                        + (isActive(old) ? " is aborted, and" : " is")
                        + " submitted again by its own spec as "
                        + String.join(", ", answer.value().ids()));
        return answer;
    }

    /** What would be submitted; nothing is. */
    public SpecBody checked(JobDetail old, ActJob job, ClusterConfig config)
            throws UsageException, Failure, Refused, IOException {
        return submission(old, job, config).dryRun(session).value().getFirst();
    }

    private Submission submission(JobDetail old, ActJob job, ClusterConfig config)
            throws UsageException, Failure, Refused, IOException {
        ClusterConfig placed = AzureCompute.placed(config, session);
        // A job that somebody works in stays one.
        ClusterConfig same = job.sleepIfSucceed() ? placed.sleeping() : placed;
        SpecBody spec = ActSubmit.spec(same, request(old, job, config), arguments, session);
        return Submission.of(spec, Here.of(session));
    }

    private ActRequest request(JobDetail old, ActJob job, ClusterConfig config)
            throws UsageException {
        SpecBody spec = old.spec();
        // A spec with one task says it without roles.
        List<String> words =
                spec.roles() == null ? spec.command() : spec.roles().getFirst().command();
        Integer said = arguments.numberOrNull(Option.GPUS, 0);
        boolean wasSingle =
                config.multiProcess()
                        && job.processesPerNode() == 1
                        && job.gpus() / job.nodes() > 1;
        return new ActRequest(
                words,
                OptionalInt.of(said == null ? job.gpus() : said),
                arguments.has(ActOptions.SINGLE) || wasSingle,
                Optional.of(arguments.text(ActOptions.COMPILE_ARGS).orElse(job.compileArgs())),
                arguments.has(ActOptions.HOLD) || job.sleepIfFail());
    }
}
