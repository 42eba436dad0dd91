package fairlead.cli.verb;

import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Plans a snapshot again. */
public final class PlanAgain implements Verb {
    private static final String PROGRAM = "fairlead.server.snapshot.PlanAgain";

    private static final Option POLICY =
            Option.valued("--policy", null, "NAME", "another policy than the snapshot's own");
    private static final Option JSON = Option.flag("--json", null, "print JSON");

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("plan"),
                "FILE",
                1,
                "plan a snapshot again: who starts, who is stopped, why the others wait",
                List.of(POLICY, JSON),
                List.of(
                        Example.of(
                                "fairlead plan examples/snapshot.json --policy fifo",
                                "what first come, first served would do")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, IOException {
        var words = new ArrayList<>(arguments.some("snapshot"));
        arguments.text(POLICY).ifPresent(name -> words.addAll(List.of(POLICY.name(), name)));
        if (arguments.has(JSON)) words.add(JSON.name());
        return session.tool(PROGRAM, words);
    }
}
