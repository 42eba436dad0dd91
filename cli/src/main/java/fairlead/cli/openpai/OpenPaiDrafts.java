package fairlead.cli.openpai;

import fairlead.api.client.Refused;
import fairlead.api.spec.OriginBody;
import fairlead.cli.line.Session;
import fairlead.cli.spec.Draft;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.openpai.PaiOrigin;

import java.io.IOException;
import java.util.Optional;

/** Puts the names into jobs of OpenPAI by which that system knows them. */
public final class OpenPaiDrafts {
    private final String as;
    private final Optional<String> name;
    private final Session session;

    /**
     * @param as for whom an admin submits, or null
     * @param name of the jobs, where it is not the one of their file
     */
    public OpenPaiDrafts(String as, Optional<String> name, Session session) {
        this.as = as;
        this.name = name;
        this.session = session;
    }

    /** Jobs of other files stay as they are; so does a key that a file of our own says. */
    public void fit(Draft draft) throws UsageException, Failure, Refused, IOException {
        OriginBody origin = draft.spec.origin;
        Optional<String> known = PaiOrigin.unowned(origin);
        if (known.isEmpty()) return;
        draft.remarks.forEach(session::say);
        String user = as == null ? session.client().me().value().name() : as;
        String jobName = name.orElse(known.get());
        draft.spec.origin = PaiOrigin.named(origin, user, jobName);
    }
}
