package fairlead.api.clusters;

import io.avaje.jsonb.Json;

/** Where the server writes a copy of its journal: an absolute path that does not exist yet. */
@Json
public record BackupRequest(String file) {}
