package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Everything about one job.
 *
 * @param spec null for those who may not see it
 * @param obstacles why it waits, in words
 * @param notes what its engine cannot do for it, such as limits that are not enforced
 */
@Json
public record JobDetail(
        JobBody job,
        SpecBody spec,
        List<TaskBody> tasks,
        List<EventBody> events,
        List<String> obstacles,
        List<String> notes) {}
