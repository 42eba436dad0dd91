package fairlead.journal;

import java.time.Instant;
import java.util.Optional;

/**
 * Which lines of the audit are wanted, at most {@code max} of them. What is empty leaves all.
 *
 * @param from the first moment that is wanted
 * @param until the first moment that is not
 */
public record AuditQuery(
        Optional<String> who,
        Optional<String> action,
        Optional<String> subject,
        Optional<Instant> from,
        Optional<Instant> until,
        int max) {
    public static AuditQuery all(int max) {
        return new AuditQuery(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                max);
    }

    public boolean matches(AuditLine line) {
        return who.map(line.who()::equals).orElse(true)
                && action.map(line.action()::equals).orElse(true)
                && subject.map(line.subject()::equals).orElse(true)
                && from.map(moment -> !line.at().isBefore(moment)).orElse(true)
                && until.map(line.at()::isBefore).orElse(true);
    }
}
