package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * A job as clients see it. Times are ISO 8601 in UTC; null means not yet.
 *
 * @param state queued, starting, running, stopping, succeeded, failed or cancelled
 * @param reason why it ended, is being stopped, or does not start although it has its place
 * @param gpus devices that its tasks see, all together
 * @param gpuPart how much of each, such as {@code 0.5} or {@code 8G}; null when they are its alone
 * @param command the first role's, in one line, for people; null for those who may not see the spec
 * @param place its place in the queue from 1; only while queued
 * @param predictedStart when it will most likely start; only while queued
 * @param started when the current or last attempt started
 * @param epochsDone of a training job; null for all others
 * @param epochs that a training job has to do; null for all others
 * @param config the config file of ACT or Philly that it was submitted with; null without one, and
 *     for those who may not see the spec
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
        String gpuPart,
        boolean interactive,
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
        String predictedStart,
        String predictedEarliest,
        String predictedLatest,
        List<String> nodes,
        Integer epochsDone,
        Integer epochs,
        String config) {}
