package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Why a call was refused.
 *
 * @param code one of {@link ErrorCode}, in lower case
 * @param field the path in the spec that is wrong, such as {@code jobs[0].roles[1].gpus}, or null
 * @param matches for an ambiguous id: the ids that it could mean
 */
@Json
public record ErrorBody(String code, String message, String field, List<String> matches) {}
