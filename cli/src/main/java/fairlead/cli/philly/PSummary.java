package fairlead.cli.philly;

import fairlead.api.client.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Table;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.cli.Words;

import java.io.IOException;
import java.util.List;

/** Shows how many GPUs of each cluster are in use. */
final class PSummary implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("p summary"),
                "",
                0,
                "show how many GPUs of each cluster are in use",
                List.of(Option.CLUSTER),
                List.of(Example.of("fairlead p summary", "a line for each cluster")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        session.out().print(table(PhillyClusters.of(arguments, session).usages()));
        return ExitCode.OK;
    }

    static String table(List<PhillyClusters.Usage> usages) {
        var table = new Table().row("cluster", "quota", "active", "usage");
        for (PhillyClusters.Usage usage : usages) {
            table.row(
                    usage.name(),
                    Words.number(usage.quota()),
                    Words.number(usage.active()),
                    usage.percent() + "%");
        }
        return table.text();
    }
}
