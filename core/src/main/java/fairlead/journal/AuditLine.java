package fairlead.journal;

import java.time.Instant;

/**
 * Who did what, and from where. A line is never changed.
 *
 * @param who the name of a person; empty where nobody was known
 * @param from the address that the call came from
 * @param action one word, such as {@code abort}
 * @param subject the job, the person or the setting that it was about; may be empty
 * @param outcome {@code done}, or why it was not
 */
public record AuditLine(
        Instant at, String who, String from, String action, String subject, String outcome) {}
