package fairlead.cli.verb;

import fairlead.api.OriginBody;
import fairlead.api.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.UsageException;
import fairlead.cli.spec.Draft;
import fairlead.dialects.openpai.PaiOrigin;

import java.io.IOException;
import java.util.Optional;

/** Puts the names into jobs of OpenPAI by which that system knows them. */
final class OpenPaiDrafts {
    private final Arguments arguments;
    private final Session session;

    OpenPaiDrafts(Arguments arguments, Session session) {
        this.arguments = arguments;
        this.session = session;
    }

    /** Jobs of other files stay as they are; so does a key that a file of our own says. */
    void fit(Draft draft) throws UsageException, Failure, Refused, IOException {
        OriginBody origin = draft.spec.origin;
        Optional<String> known = PaiOrigin.unowned(origin);
        if (known.isEmpty()) return;
        draft.remarks.forEach(session::say);
        String as = arguments.text(SpecOptions.AS).orElse(null);
        String user = as == null ? session.client().me().value().name() : as;
        String jobName = arguments.text(SpecOptions.NAME).orElse(known.get());
        draft.spec.origin = PaiOrigin.named(origin, user, jobName);
    }
}
