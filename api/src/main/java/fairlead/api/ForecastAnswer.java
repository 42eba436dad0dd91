package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What would become of jobs that nobody has submitted yet. Of several the first is looked at.
 *
 * @param predictedStart when it would most likely start; null where nobody can say
 * @param obstacles why it would wait, in words; empty where it would start now
 * @param holders whose end or stop it would wait for
 * @param delays who would start later because of it, those it costs most first
 * @param moreDelays how many more there are
 * @param warnings as a submit would give them
 */
@Json
public record ForecastAnswer(
        String predictedStart,
        String predictedEarliest,
        String predictedLatest,
        List<String> obstacles,
        List<HolderBody> holders,
        List<DelayBody> delays,
        int moreDelays,
        List<String> warnings) {
    /**
     * A waiting job that would start later because of another.
     *
     * @param seconds how much later, as far as anybody can say
     */
    @Json
    public record DelayBody(String id, String owner, double seconds) {}
}
