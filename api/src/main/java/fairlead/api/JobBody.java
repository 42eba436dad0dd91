package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * A job as clients see it. Times are ISO 8601 in UTC; a null is something that is not so yet.
 *
 * @param state queued, starting, running, stopping, succeeded, failed or cancelled
 * @param reason why it ended or is being stopped
 * @param command the first role's, in one line, for people
 * @param place its place in the queue from 1; only while queued
 * @param started when the current or last attempt started
 */
@Json
public record JobBody(
        String id,
        String name,
        String owner,
        String project,
        String cluster,
        String state,
        String reason,
        Integer exitCode,
        int priority,
        int gpus,
        int tasks,
        int attempts,
        int failures,
        String array,
        Integer arrayIndex,
        String command,
        String submitted,
        String started,
        String finished,
        Integer place,
        List<String> nodes) {}
