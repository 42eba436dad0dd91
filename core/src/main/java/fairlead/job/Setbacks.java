package fairlead.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What preemptions have cost a job, as its owner may read it.
 *
 * @param lost work thrown away by all of them; the fair order gives it back as time waited
 * @param last the latest ones, oldest first
 */
public record Setbacks(Duration lost, List<Receipt> last) {
    public static final Setbacks NONE = new Setbacks(Duration.ZERO, List.of());

    /** What a person still reads; the sum counts all. */
    private static final int LAST_MAX = 10;

    public Setbacks {
        last = List.copyOf(last);
    }

    /**
     * One preemption.
     *
     * @param at when it was asked for
     * @param lost the work since the last checkpoint, or since the start
     */
    public record Receipt(Instant at, JobId beneficiary, String why, Duration lost) {}

    Setbacks plus(Receipt receipt) {
        var receipts = new ArrayList<>(last);
        if (receipts.size() == LAST_MAX) receipts.removeFirst();
        receipts.add(receipt);
        return new Setbacks(lost.plus(receipt.lost()), receipts);
    }
}
