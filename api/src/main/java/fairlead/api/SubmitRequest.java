package fairlead.api;

import fairlead.api.spec.SpecBody;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Jobs to submit, all or none.
 *
 * @param request the client's own name for this request; a repeat with the same name makes nothing
 *     new
 * @param jobs one spec for each job
 * @param as whose jobs they will be, for an admin who submits for others
 * @param array instead of several jobs: one spec, made into a job for each index
 * @param here where the caller is; null for one that says everything in the specs
 * @param instead a job in whose place these come: it is aborted in the same moment, if it has not
 *     ended; may be null
 */
@Json
public record SubmitRequest(
        String request,
        List<SpecBody> jobs,
        ArrayBody array,
        String as,
        HereBody here,
        String instead) {
    /** Both ends count. {@code {i}} in the command and the environment becomes the index. */
    @Json
    public record ArrayBody(int from, int to) {}
}
