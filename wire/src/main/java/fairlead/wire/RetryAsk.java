package fairlead.wire;

import fairlead.api.spec.RetryBody;
import fairlead.job.RetryPolicy;
import fairlead.job.SpecException;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The retry policy of a spec, between its two forms. */
final class RetryAsk {
    private static final int CODE_MAX = 255;

    private RetryAsk() {}

    static Optional<RetryPolicy> read(RetryBody body) {
        if (body == null) return Optional.empty();
        var kinds = new HashMap<Integer, RetryPolicy.Kind>();
        Map<String, String> exits = body.exits() == null ? Map.of() : body.exits();
        exits.forEach((code, word) -> kinds.put(code(code), kind(code, word)));
        try {
            return Optional.of(new RetryPolicy(body.limit() == null ? 0 : body.limit(), kinds));
        } catch (SpecException e) {
            throw new SpecException("retry", e.problem());
        }
    }

    private static int code(String text) {
        boolean isNumber = text.matches("[0-9]{1,3}") && Integer.parseInt(text) <= CODE_MAX;
        SpecException.unless(
                isNumber,
                "retry.exits",
                "must name exit codes from 1 to " + CODE_MAX + ", but one is '" + text + "'");
        return Integer.parseInt(text);
    }

    private static RetryPolicy.Kind kind(String code, String word) {
        return switch (word) {
            case "transient" -> RetryPolicy.Kind.TRANSIENT;
            case "conflict" -> RetryPolicy.Kind.CONFLICT;
            case "permanent" -> RetryPolicy.Kind.PERMANENT;
            case "unknown" -> RetryPolicy.Kind.UNKNOWN;
            case null, default ->
                    throw new SpecException(
                            "retry.exits." + code,
                            "must be transient, conflict, permanent or unknown, but is '"
                                    + word
                                    + "'");
        };
    }

    static RetryBody write(RetryPolicy policy) {
        var exits = new TreeMap<String, String>();
        policy.kinds()
                .forEach(
                        (code, kind) ->
                                exits.put(
                                        Integer.toString(code),
                                        kind.name().toLowerCase(Locale.ROOT)));
        return new RetryBody(policy.limit(), exits);
    }
}
