package fairlead.cli.philly;

import fairlead.api.client.Refused;
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
import fairlead.cli.terminal.Words;

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
