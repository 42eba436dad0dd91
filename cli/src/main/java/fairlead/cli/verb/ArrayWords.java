package fairlead.cli.verb;

import fairlead.api.JobPage;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Words;

import java.util.Map;

/** How far an array is, in the words of a job's state. */
final class ArrayWords {
    private ArrayWords() {}

    /** Such as {@code 312 of 500, 2 failed}; in the colour of the worst that is known. */
    static String state(JobPage.ArrayProgress array, Paint paint) {
        Map<String, Long> states = array.states();
        long all = states.values().stream().mapToLong(Long::longValue).sum();
        long over = 0;
        for (var each : states.entrySet()) if (Words.isOver(each.getKey())) over += each.getValue();
        long failed = states.getOrDefault("failed", 0L);
        long aborted = states.getOrDefault("cancelled", 0L);
        String words =
                over
                        + " of "
                        + all
                        + (failed == 0 ? "" : ", " + failed + " failed")
                        + (aborted == 0 ? "" : ", " + aborted + " aborted");
        return paint.state(colour(failed, over == all, states), words);
    }

    private static String colour(long failed, boolean isOver, Map<String, Long> states) {
        if (failed > 0) return "failed";
        if (isOver) return states.containsKey("cancelled") ? "cancelled" : "succeeded";
        return states.containsKey("running") ? "running" : "queued";
    }
}
