package fairlead.api.people;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What to set about a project; a null leaves it as it is.
 *
 * @param stopped whether it takes no new jobs
 * @param unset what to take away instead: {@code quota}, {@code interactiveMax}
 * @param add new members
 * @param addAdmins who look after its jobs and members from now on
 * @param removeAdmins who do so no longer
 * @param remove members no longer; a project that loses its last is open to everyone
 */
@Json
public record ProjectRequest(
        Integer quota,
        Integer interactiveMax,
        String interactiveLimit,
        Boolean stopped,
        List<String> unset,
        List<String> add,
        List<String> remove,
        List<String> addAdmins,
        List<String> removeAdmins) {}
