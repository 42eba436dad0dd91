package fairlead.cli.act.verb;

import fairlead.api.client.Refused;
import fairlead.cli.act.ActSubmit;
import fairlead.cli.act.Configs;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.Submit;

import java.io.IOException;
import java.util.ArrayList;

/** The verb {@code submit}: ACT's where a config file counts in this folder, otherwise our own. */
public final class SubmitHere implements Verb {
    private final Verb own = new Submit();

    @Override
    public Usage usage() {
        Usage usage = own.usage();
        var options = new ArrayList<>(usage.options());
        options.addAll(ActSubmit.OPTIONS);
        return new Usage(
                usage.names(),
                usage.operands(),
                usage.most(),
                usage.command(),
                usage.summary(),
                usage.notes() + "\n\n" + ActSubmit.NOTES,
                options,
                usage.examples());
    }

    @Override
    public boolean isVerbatim(Arguments globals, Session session) {
        return ActSubmit.isMeant(globals, session);
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (ActSubmit.isMeant(arguments, session)) return ActSubmit.run(arguments, session);
        ActSubmit.refuseOptions(arguments);
        Configs.tellMissing("this is a plain job", arguments, session);
        try {
            return own.run(arguments, session);
        } catch (Failure e) {
            // Who speaks as ACT does means a config file by -c, which is then nowhere.
            String cluster = arguments.text(Option.CLUSTER).orElse("");
            if (cluster.isEmpty() || !e.getMessage().contains("no cluster '" + cluster + "'"))
                throw e;
            throw new Failure(
                    e.exitCode(),
                    e.getMessage()
                            + ". There is no aux_data/aml/"
                            + cluster
                            + ".yaml in this folder or above it either");
        }
    }
}
