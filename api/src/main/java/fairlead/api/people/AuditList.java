package fairlead.api.people;

import io.avaje.jsonb.Json;

import java.util.List;

/** Lines of the audit, newest first. */
@Json
public record AuditList(List<AuditBody> lines) {}
