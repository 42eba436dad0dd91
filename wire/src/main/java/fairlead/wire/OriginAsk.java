package fairlead.wire;

import fairlead.api.spec.OriginBody;
import fairlead.job.Origin;
import fairlead.job.SpecException;

import java.util.Optional;

/** The origin of a spec, between its two forms. What it says is its dialect's business. */
public final class OriginAsk {
    private OriginAsk() {}

    public static Optional<Origin> read(OriginBody body) {
        if (body == null) return Optional.empty();
        SpecException.unless(body.dialect() != null, "origin.dialect", "is missing");
        SpecException.unless(body.text() != null, "origin.text", "is missing");
        SpecException.unless(body.key() != null, "origin.key", "is missing");
        return Optional.of(new Origin(body.dialect(), body.text(), body.key()));
    }

    public static OriginBody write(Origin origin) {
        return new OriginBody(origin.dialect(), origin.text(), origin.key());
    }
}
