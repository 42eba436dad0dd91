package fairlead.cli.verb;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** A verb of ours under the names that another system has for it. */
public record Renamed(List<String> names, Verb verb) implements Verb {
    @Override
    public Usage usage() {
        Usage usage = verb.usage();
        var example = Example.of("fairlead " + names.getFirst(), usage.summary());
        return new Usage(
                names,
                usage.operands(),
                usage.most(),
                usage.command(),
                usage.summary(),
                usage.notes(),
                usage.options(),
                List.of(example));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return verb.run(arguments, session);
    }
}
