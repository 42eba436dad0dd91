package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.cli.Words;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Stops jobs. */
public final class Abort implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("abort", "a"),
                "JOB...",
                Usage.MANY,
                "stop jobs, waiting or running",
                List.of(Option.CLUSTER, Option.JSON),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead abort " + Example.JOB,
                                "any unique end of the id, or an array's id for all its jobs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var ids = new ArrayList<String>();
        boolean allEnded = false;
        for (String word : ActJobs.ids(arguments.some("job"))) {
            List<JobBody> array = ArrayJobs.of(word, session);
            if (array.isEmpty()) {
                ids.add(word);
                continue;
            }
            var active = array.stream().filter(job -> !Words.isOver(job.state())).toList();
            if (active.isEmpty()) {
                session.say("all jobs of array " + word + " have already ended");
                allEnded = true;
            }
            for (JobBody job : active) ids.add(job.id());
        }
        int code = abort(ids, arguments, session);
        return code == ExitCode.OK && allEnded ? ExitCode.REFUSED : code;
    }

    private static int abort(List<String> ids, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return EachJob.of(
                ids,
                session,
                id -> {
                    var answer = session.client().abort(id);
                    if (arguments.has(Option.JSON)) {
                        session.json(answer);
                        return;
                    }
                    JobBody job = answer.value();
                    session.out().line(job.id() + " " + job.state());
                });
    }
}
