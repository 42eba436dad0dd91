package fairlead.policy;

import fairlead.cluster.OwnerQueue;
import fairlead.job.Job;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The owners' queues merged into one line, on demand: reading its first jobs costs nothing for
 * those behind them, however many wait.
 */
public final class Line implements Iterator<Line.Standing> {
    private final PriorityQueue<Cursor> heads;
    private final ToLongFunction<Job> weight;

    /** A job, and after how many units of its owner's it comes. */
    public record Standing(Job job, long after) {}

    /** One owner's next job, and the rank at which it stands. */
    public static final class Cursor {
        private final OwnerQueue queue;
        private final Iterator<Job> rest;

        /** Those that count for nothing stand behind the others: they keep nobody waiting. */
        private final Deque<Job> idle = new ArrayDeque<>();

        private Job job;
        private long weight;
        private long rank;

        private Cursor(OwnerQueue queue, List<Job> jobs, long rank) {
            this.queue = queue;
            this.rest = jobs.iterator();
            this.rank = rank;
        }

        /** Goes on to the next job; false after the last one. */
        private boolean advance(ToLongFunction<Job> weigh) {
            rank += weight;
            weight = 0;
            while (rest.hasNext()) {
                job = rest.next();
                weight = weigh.applyAsLong(job);
                if (weight > 0) return true;
                idle.add(job);
            }
            job = idle.poll();
            return job != null;
        }

        public OwnerQueue queue() {
            return queue;
        }

        public Job job() {
            return job;
        }

        /** The number of the owner's next unit, counted over what the owner holds and has ahead. */
        public long rank() {
            return rank;
        }
    }

    /**
     * @param held how many units an owner holds already
     * @param weight how many units a job takes
     */
    public Line(
            List<OwnerQueue> queues,
            Function<OwnerQueue, List<Job>> jobs,
            ToLongFunction<OwnerQueue> held,
            ToLongFunction<Job> weight,
            Comparator<Cursor> order) {
        this.heads = new PriorityQueue<>(order);
        this.weight = weight;
        for (OwnerQueue queue : queues) {
            List<Job> waiting = jobs.apply(queue);
            if (waiting.isEmpty()) continue;
            var cursor = new Cursor(queue, waiting, held.applyAsLong(queue) + 1);
            if (cursor.advance(weight)) heads.add(cursor);
        }
    }

    @Override
    public boolean hasNext() {
        return !heads.isEmpty();
    }

    @Override
    public Standing next() {
        Cursor head = heads.remove();
        var standing = new Standing(head.job, head.rank - 1);
        if (head.advance(weight)) heads.add(head);
        return standing;
    }
}
