package fairlead.api.report;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Who has used GPUs in a span of time.
 *
 * @param gpus how many there are now
 * @param people by name, as are the projects
 * @param notes what the sums may lack
 */
@Json
public record ReportBody(
        String from,
        String to,
        int gpus,
        double gpuHours,
        List<UseBody> people,
        List<UseBody> projects,
        List<String> notes) {}
