package fairlead.api.people;

import io.avaje.jsonb.Json;

/**
 * Who did what, and from where.
 *
 * @param who empty where nobody was known
 * @param subject the job, the person or the setting that it was about
 * @param outcome {@code done}, or {@code refused} with the status of the answer
 */
@Json
public record AuditBody(
        String at, String who, String from, String action, String subject, String outcome) {}
