package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * A piece of work in the queue of a cluster: a job, or what somebody has started without Fairlead.
 *
 * @param name a job's id, or the name of somebody's pod
 * @param guest whether it was started without Fairlead
 * @param status a job's state, or the cluster's own word
 * @param created when it was submitted
 * @param gpus parts of GPUs count as what they are
 * @param ordinal which of its owner's GPUs its first one is, from 1; 0 for work without GPUs
 * @param borrows true for a job that waits for what other projects leave idle: those inside their
 *     quota are served before it; else null
 * @param globalOrdinal GPUs of the whole queue up to this work, it included
 * @param job null for other work
 */
@Json
public record QueueBody(
        String name,
        boolean guest,
        String owner,
        String status,
        String created,
        String started,
        double gpus,
        int priority,
        int ordinal,
        Boolean borrows,
        double globalOrdinal,
        List<String> nodes,
        QueueJob job) {
    /** {@code 1st}, {@code 2nd}, {@code 11th}, or that it needs none, as people read it. */
    public static String ordinalWord(int number) {
        if (number == 0) return "CPU";
        boolean isTeen = number / 10 % 10 == 1;
        String ending =
                switch (isTeen ? 0 : number % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
        return number + ending;
    }

    /** A priority as the page shows it: one that nobody has changed is {@code auto}. */
    public static String priorityWord(int number) {
        return number == 0 ? "auto" : "%+d".formatted(number);
    }
}
