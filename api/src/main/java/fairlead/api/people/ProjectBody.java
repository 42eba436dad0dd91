package fairlead.api.people;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * A project and how it stands.
 *
 * @param quota GPUs guaranteed; null when nobody has set any
 * @param members who may submit to it; empty: everyone
 * @param interactiveMax how many interactive jobs may run at once; null: as the quota allows
 * @param interactiveLimit how long one of them may run, such as {@code 12h}
 * @param gpusHeld that its active jobs hold
 * @param jobsWaiting in the queue
 * @param admins who look after its jobs and members; null: admins of the server alone
 * @param stopped takes no new jobs; null: it does
 */
@Json
public record ProjectBody(
        String name,
        Integer quota,
        List<String> members,
        Integer interactiveMax,
        String interactiveLimit,
        double gpusHeld,
        int jobsWaiting,
        List<String> admins,
        Boolean stopped) {}
