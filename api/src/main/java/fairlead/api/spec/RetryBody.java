package fairlead.api.spec;

import io.avaje.jsonb.Json;

import java.util.Map;

/**
 * What is tried again, instead of a plain count.
 *
 * @param limit how many failures of unknown kind are tried again; -1 all of them; -2 whatever
 *     happens, even a success
 * @param exits what exit codes say: {@code transient}, {@code conflict} or {@code permanent}
 */
@Json
public record RetryBody(Integer limit, Map<String, String> exits) {}
