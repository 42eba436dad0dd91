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
import fairlead.cli.terminal.Failure;
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
    public Answer<SubmitAnswer> submit(JobDetail old, ActJob job, ClusterConfig config)
            throws UsageException, Failure, Refused, IOException {
        Submission submission = submission(old, job, config);
        submission.dryRun(session);
        boolean isActive = !Words.isOver(old.job().state());
        CodeCheck check = CodeCheck.of(config, submission.bodies().getFirst());
        if (isActive) check.require(config, hasSameCode(job, submission), session);
        else check.tell(config, session);
        Answer<SubmitAnswer> answer = submission.submitInstead(old.job().id(), session);
        session.say(
                old.job().id()
                        + (isActive ? " is aborted, and" : " is")
                        + " submitted again to '"
                        + config.name()
                        + "' as "
                        + String.join(", ", answer.value().ids()));
        return answer;
    }

    /** Whether the nodes take it from where those of the old job did. */
    private static boolean hasSameCode(ActJob old, Submission submission) {
        ActJob now = ActOrigin.of(submission.bodies().getFirst()).orElseThrow();
        return now.code().equals(old.code());
    }

    /** What would be submitted; nothing is. */
    public SpecBody checked(JobDetail old, ActJob job, ClusterConfig config)
            throws UsageException, Failure, Refused, IOException {
        return submission(old, job, config).dryRun(session).value().getFirst();
    }

    private Submission submission(JobDetail old, ActJob job, ClusterConfig config)
            throws UsageException, IOException {
        // A job that somebody works in stays one.
        ClusterConfig same = job.sleepIfSucceed() ? config.sleeping() : config;
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
