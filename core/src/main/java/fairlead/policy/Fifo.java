package fairlead.policy;

import java.util.Comparator;

/** First come, first served; only an owner's own priorities let a job pass others of that owner. */
final class Fifo extends InLine {
    @Override
    Comparator<Line.Cursor> order() {
        return Comparator.comparing((Line.Cursor head) -> head.job().submitted())
                .thenComparing(head -> head.job().id());
    }
}
