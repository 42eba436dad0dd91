package fairlead.cli.act.verb;

import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.SubmitAnswer;
import fairlead.api.client.Answer;
import fairlead.api.client.Refused;
import fairlead.cli.act.ActAgain;
import fairlead.cli.act.Configs;
import fairlead.cli.job.JobIds;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.ArrayJobs;
import fairlead.cli.verb.EachJob;
import fairlead.cli.verb.Submit;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Submits a job's spec again; an active job is aborted first. One of ACT's is made anew from its
 * config file, where that is here, so that other GPUs or another cluster mean other nodes.
 */
public final class Resubmit implements Verb {
    private static final List<Option> LAYOUT =
            List.of(ActOptions.RESUBMIT_TO, ActOptions.SINGLE, Option.CLUSTER);

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("resubmit"),
                "JOB...",
                Usage.MANY,
                "submit jobs again, and abort them first where they are active",
                List.of(
                        ActOptions.GPUS_AGAIN,
                        ActOptions.RESUBMIT_TO,
                        ActOptions.SINGLE,
                        ActOptions.COMPILE_ARGS,
                        ActOptions.HOLD,
                        Option.CLUSTER,
                        Option.JSON),
                List.of(
                        Example.of("fairlead resubmit " + Example.JOB, "the same once more"),
                        Example.of("fairlead -n 0 resubmit " + Example.JOB, "with other GPUs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> words = JobIds.of(arguments.some("job"));
        // All are looked for before the first is touched: a typo must not make some of them twice.
        if (words.size() > 1) {
            for (String word : words) {
                if (ArrayJobs.of(word, session).isEmpty()) session.client().job(word);
            }
        }
        return EachJob.of(words, session, word -> resubmit(word, arguments, session));
    }

    private static void resubmit(String word, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<JobBody> array = ArrayJobs.of(word, session);
        // Those of ACT are laid out here, and each by itself.
        boolean isAct =
                !array.isEmpty()
                        && ActOrigin.of(session.client().job(array.getFirst().id()).value())
                                .isPresent();
        if (isAct) {
            for (JobBody job : array) show(again(job.id(), arguments, session), arguments, session);
        } else if (array.isEmpty()) {
            show(again(word, arguments, session), arguments, session);
        } else {
            refuseLayout(word, arguments);
            Integer gpus = arguments.numberOrNull(Option.GPUS, 0);
            show(session.client().resubmitArray(word, gpus), arguments, session);
        }
    }

    private static void show(Answer<SubmitAnswer> answer, Arguments arguments, Session session)
            throws IOException {
        if (arguments.has(Option.JSON)) session.json(answer);
        else Submit.show(answer.value(), session);
    }

    private static Answer<SubmitAnswer> again(String id, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobDetail detail = session.client().job(id).value();
        String full = detail.job().id();
        Optional<ActJob> act = ActOrigin.of(detail);
        if (act.isPresent()) {
            String name =
                    arguments
                            .text(ActOptions.RESUBMIT_TO)
                            .or(() -> arguments.text(Option.CLUSTER))
                            .orElse(act.get().config());
            var config = Configs.named(name, session);
            if (config.isPresent()) {
                return new ActAgain(arguments, session).submit(detail, act.get(), config.get());
            }
            boolean isAnew =
                    arguments.has(Option.GPUS)
                            || arguments.has(ActOptions.RESUBMIT_TO)
                            || arguments.has(Option.CLUSTER);
            if (isAnew) {
                throw new UsageException(
                        "there is no config file for '"
                                + name
                                + "' here, which "
                                + full
                                + " needs to be laid out anew");
            }
        }
        if (act.isEmpty()) refuseLayout(full, arguments);
        return session.client().resubmit(full, arguments.numberOrNull(Option.GPUS, 0));
    }

    private static void refuseLayout(String job, Arguments arguments) throws UsageException {
        for (Option option : LAYOUT) {
            if (!arguments.has(option)) continue;
            throw new UsageException(
                    "'"
                            + option.letter()
                            + "' is for jobs with a config file of ACT, and "
                            + job
                            + " was submitted without one");
        }
    }
}
