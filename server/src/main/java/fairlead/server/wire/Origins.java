package fairlead.server.wire;

import fairlead.dialects.act.ActJob;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.job.JobSpec;
import fairlead.job.SpecException;

import java.util.Optional;

/** What jobs say of the files that they come from; checked, since anybody may say it. */
public final class Origins {
    private Origins() {}

    /**
     * Refuses what only the translators of files may say, and says wrongly.
     *
     * @param user whose names may be used; empty for all
     */
    public static void check(JobSpec spec, Optional<String> user) {
        if (spec.origin().isEmpty()) return;
        String dialect = spec.origin().get().dialect();
        switch (dialect) {
            case PaiSpec.DIALECT -> PaiOrigin.check(spec, user);
            case ActJob.DIALECT -> ActOrigin.check(spec);
            default ->
                    throw new SpecException(
                            "origin.dialect",
                            "must be %s or %s, but is '%s'"
                                    .formatted(PaiSpec.DIALECT, ActJob.DIALECT, dialect));
        }
    }
}
