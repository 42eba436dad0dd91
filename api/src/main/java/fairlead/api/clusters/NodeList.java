package fairlead.api.clusters;

import io.avaje.jsonb.Json;

import java.util.List;

@Json
public record NodeList(List<NodeBody> nodes, List<String> notes) {}
