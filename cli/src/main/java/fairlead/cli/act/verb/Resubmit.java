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
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.ArrayJobs;
import fairlead.cli.verb.EachJob;
import fairlead.cli.verb.Submit;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;

import java.io.IOException;
import java.util.ArrayList;
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
        // All are looked for, and then looked at, before the first is touched: a typo must not make
        // some of them twice, and what stops one must not find another aborted.
        if (words.size() > 1) {
            for (String word : words) {
                if (ArrayJobs.of(word, session).isEmpty()) session.client().job(word);
            }
        }
        var all = new ArrayList<Again>();
        for (String word : words) {
            if (words.size() == 1) all.addAll(ready(word, arguments, session));
            else all.addAll(readyAmongOthers(word, arguments, session));
        }
        int code = ExitCode.OK;
        for (Again each : all) code = EachJob.first(code, show(each, arguments, session));
        return code;
    }

    /** One submit that is left to do. */
    private interface Again {
        Answer<SubmitAnswer> submit() throws UsageException, Failure, Refused, IOException;
    }

    /** The server's refusal of one does not keep the others from theirs. */
    private static int show(Again again, Arguments arguments, Session session)
            throws UsageException, Failure, IOException {
        try {
            Answer<SubmitAnswer> answer = again.submit();
            if (arguments.has(Option.JSON)) session.json(answer);
            else Submit.show(answer.value(), session);
            return ExitCode.OK;
        } catch (Refused e) {
            session.say(Refusal.words(e));
            return e.exitCode();
        }
    }

    private static List<Again> readyAmongOthers(String word, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            return ready(word, arguments, session);
        } catch (Failure e) {
            String whose = e.getMessage().contains(word) ? "" : word + ": ";
            throw ActAgain.unaborted(e.exitCode(), whose + e.getMessage());
        }
    }

    private static List<Again> ready(String word, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<JobBody> array = ArrayJobs.of(word, session);
        if (array.isEmpty()) return List.of(one(word, arguments, session));
        boolean isAct =
                ActOrigin.of(session.client().job(array.getFirst().id()).value()).isPresent();
        if (isAct) {
            // They are laid out here, and each by itself.
            var all = new ArrayList<Again>();
            for (JobBody job : array) all.add(one(job.id(), arguments, session));
            return all;
        }
        refuseLayout(word, arguments);
        Integer gpus = arguments.numberOrNull(Option.GPUS, 0);
        return List.of(() -> session.client().resubmitArray(word, gpus));
    }

    private static Again one(String id, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobDetail detail = session.client().job(id).value();
        String full = detail.job().id();
        Optional<ActJob> act = ActOrigin.of(detail);
        if (act.isEmpty()) {
            refuseLayout(full, arguments);
            Integer gpus = arguments.numberOrNull(Option.GPUS, 0);
            return () -> session.client().resubmit(full, gpus);
        }
        String name =
                arguments
                        .text(ActOptions.RESUBMIT_TO)
                        .or(() -> arguments.text(Option.CLUSTER))
                        .orElse(act.get().config());
        var config = Configs.named(name, session);
        if (config.isPresent()) {
            var ready = new ActAgain(arguments, session).ready(detail, act.get(), config.get());
            return () -> ready.submit(session);
        }
        boolean isAnew =
                arguments.has(Option.GPUS)
                        || arguments.has(ActOptions.RESUBMIT_TO)
                        || arguments.has(Option.CLUSTER);
        if (isAnew) {
            boolean isMoved = arguments.has(ActOptions.RESUBMIT_TO);
            Option option = isMoved ? ActOptions.RESUBMIT_TO : Option.CLUSTER;
            throw ActAgain.unaborted(
                    ExitCode.USAGE,
                    "there is no config file for '"
                            + name
                            + "' here, which "
                            + full
                            + " needs to be laid out anew"
                            + Configs.hint(option, name, session));
        }
        return () -> ActAgain.asItWas(detail, act.get(), null, session);
    }

    private static void refuseLayout(String job, Arguments arguments) throws Failure {
        for (Option option : LAYOUT) {
            if (!arguments.has(option)) continue;
            throw ActAgain.unaborted(
                    ExitCode.USAGE,
                    "'"
                            + option.letter()
                            + "' is for jobs with a config file of ACT, and "
                            + job
                            + " was submitted without one");
        }
    }
}
