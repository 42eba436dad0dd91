package fairlead.cli.verb;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Writes what the policy sees of a cluster. */
public final class Snapshot implements Verb {
    private static final Option JSON =
            Option.flag("--json", null, "has no effect: it is always JSON");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("snapshot"),
                "",
                0,
                false,
                "write what the policy sees of a cluster, for a bug report",
                "It has nodes, projects, owners and what their jobs ask for; no commands and no"
                        + " environments.",
                List.of(Option.CLUSTER, JSON),
                List.of(
                        Example.of(
                                "fairlead snapshot >${TMPDIR:-/tmp}/fairlead-case-$$.json",
                                "for 'fairlead plan'")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        byte[] json = session.client().snapshot(arguments.text(Option.CLUSTER).orElse(null));
        session.json(json);
        return ExitCode.OK;
    }
}
