package fairlead.cli.philly;

import fairlead.api.JobBody;
import fairlead.api.client.Refused;
import fairlead.cli.act.verb.ActStatus;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows who holds how many GPUs, and who waits for how many. */
final class PBlame implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("p blame"),
                "",
                0,
                "show who holds GPUs and who waits for them",
                List.of(Option.CLUSTER),
                List.of(Example.of("fairlead p blame", "whoever has the most, first")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        Map<String, Map<String, Integer>> gpus = new TreeMap<>(Comparator.reverseOrder());
        for (JobBody job : PhillyClusters.of(arguments, session).active()) {
            gpus.computeIfAbsent(ActStatus.philly(job.state()), _ -> new TreeMap<>())
                    .merge(job.owner(), job.gpus(), Integer::sum);
        }
        if (gpus.isEmpty()) session.say("nothing runs, and nobody waits");
        for (var status : gpus.entrySet()) {
            List<Map.Entry<String, Integer>> users = new ArrayList<>(status.getValue().entrySet());
            users.sort(Map.Entry.<String, Integer>comparingByValue().reversed());
            var table = new Table().row("user", "GPUs");
            for (var user : users) table.row(user.getKey(), user.getValue().toString());
            session.out().print(status.getKey() + "\n" + table.text());
        }
        return ExitCode.OK;
    }
}
