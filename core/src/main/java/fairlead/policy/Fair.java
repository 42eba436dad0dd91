package fairlead.policy;

import java.util.Comparator;

/**
 * One's first GPU goes before anyone's second, the second before anyone's third. A job stands at
 * the number of its first GPU, counted over what its owner holds and has ahead of it; among equals
 * the earlier submit goes first.
 *
 * <p>Example: ann holds 2 GPUs and waits for 1 more, so that job stands at 3. Bob holds none and
 * waits with a job of 4 and a job of 1: they stand at 1 and at 5. The line is bob's 4, ann's 1,
 * bob's 1.
 */
final class Fair extends InLine {
    @Override
    Comparator<Line.Cursor> order() {
        return Comparator.comparingLong(Line.Cursor::rank)
                .thenComparing(head -> head.job().submitted())
                .thenComparing(head -> head.job().id());
    }
}
