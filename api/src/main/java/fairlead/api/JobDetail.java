package fairlead.api;

import fairlead.api.spec.SpecBody;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Everything about one job.
 *
 * @param spec null for those who may not see it
 * @param events of the reports of a training script only the latest
 * @param obstacles why it waits, in words
 * @param notes what its engine cannot do for it, such as limits that are not enforced
 * @param progress of a training job; null for all others
 * @param setbacks null when it has never been preempted
 */
@Json
public record JobDetail(
        JobBody job,
        SpecBody spec,
        List<TaskBody> tasks,
        List<EventBody> events,
        List<String> obstacles,
        List<String> notes,
        ProgressBody progress,
        SetbacksBody setbacks) {}
