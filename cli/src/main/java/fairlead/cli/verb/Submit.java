package fairlead.cli.verb;

import fairlead.api.SubmitAnswer;
import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
import fairlead.cli.job.Here;
import fairlead.cli.job.Submission;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands jobs to the server and prints their ids, one on each line; of an array only its own id,
 * which other verbs take for all its jobs.
 */
public final class Submit implements Verb {
    private static final Option DRY_RUN =
            Option.flag("--dry-run", null, "check and print the complete spec; submit nothing");

    @Override
    public Usage usage() {
        var options = new ArrayList<>(SpecOptions.ALL);
        options.addAll(List.of(SpecOptions.ARRAY, DRY_RUN, Option.JSON));
        return new Usage(
                List.of("submit"),
                "COMMAND...",
                Usage.MANY,
                true,
                "hand jobs to the queue and print their ids",
                SpecOptions.NOTES,
                options,
                List.of(
                        Example.of(
                                "fairlead submit python3 examples/hello.py",
                                "a job, on one GPU where there are any"),
                        Example.of(
                                "fairlead -n 0 submit --name count 'ls | wc -l'",
                                "one single word is run by a shell"),
                        Example.of(
                                "fairlead -n 0 submit --array 0-4 'echo part {i}'",
                                "five jobs in one request; prints the id of the array"),
                        Example.of(
                                "fairlead submit --gpu 0.5 --time 10m python3 examples/hello.py",
                                "half of a GPU, for ten minutes at most"),
                        Example.of(
                                "fairlead submit --epochs 20 --batch-size 64 --training-set-size"
                                        + " 50000 --gpus-max 4 python3 examples/hello.py",
                                "a training job, on one to four GPUs as it pays"),
                        Example.of(
                                "fairlead -n 0 submit --after-ok " + Example.JOB + " 'echo next'",
                                "once that job has succeeded; an array's id waits for all its"
                                        + " jobs"),
                        Example.of("fairlead submit -f examples/job.yaml", "a job file"),
                        Example.of(
                                "fairlead submit -f examples/openpai.json",
                                "a job file of OpenPAI, known by its fields"),
                        Example.of(
                                "fairlead submit --dry-run -f examples/distributed.yaml",
                                "check a file and see all that it means")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var submission =
                Submission.of(
                        SpecOptions.drafts(arguments, session),
                        SpecOptions.array(arguments),
                        arguments.text(SpecOptions.AS).orElse(null),
                        Here.of(session));
        boolean json = arguments.has(Option.JSON);
        if (arguments.has(DRY_RUN)) return dryRun(submission, json, session);
        var answer = SpecOptions.submit(submission, arguments, session);
        if (json) {
            session.json(answer);
            return ExitCode.OK;
        }
        show(answer.value(), session);
        return ExitCode.OK;
    }

    /** The ids; of an array only its own, and how many jobs it has. */
    public static void show(SubmitAnswer submitted, Session session) throws IOException {
        if (submitted.array() == null) {
            for (String id : submitted.ids()) session.out().line(id);
            return;
        }
        session.out().line(submitted.array());
        session.say(
                "array of %1$d jobs ('fairlead list --array %2$s', 'fairlead wait %2$s')"
                        .formatted(submitted.ids().size(), submitted.array()));
    }

    private static int dryRun(Submission submission, boolean json, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = SpecOptions.dryRun(submission, session);
        if (json) {
            session.json(answer);
            return ExitCode.OK;
        }
        boolean first = true;
        for (SpecBody spec : answer.value()) {
            session.out().print((first ? "" : "---\n") + SpecYaml.of(spec));
            first = false;
        }
        return ExitCode.OK;
    }
}
