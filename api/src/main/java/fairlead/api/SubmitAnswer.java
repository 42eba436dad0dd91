package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What became of a submit.
 *
 * @param ids in the order of the request
 * @param array the array's id, or null
 * @param warnings for people: for instance that the cluster is too small
 */
@Json
public record SubmitAnswer(List<String> ids, String array, List<String> warnings) {}
