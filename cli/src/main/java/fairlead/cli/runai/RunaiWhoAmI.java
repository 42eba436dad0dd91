package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.cli.admin.WhoAmI;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.pods.RunaiFile;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;

/** Says as whom the server knows the caller, with the project that Run:ai's verbs use. */
final class RunaiWhoAmI implements Verb {
    @Override
    public Usage usage() {
        return WhoAmI.usage("runai whoami");
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return WhoAmI.show(arguments, session, RunaiFile.of(session).project());
    }
}
