package fairlead.policy.elastic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which GPUs of which nodes the jobs of a plan would hold. A job of at most one node's GPUs lies on
 * one node; a larger one takes as few nodes as it can, the same number on each (6 on nodes of 4: 3
 * and 3).
 *
 * <p>Jobs that keep their size keep their place. One-node jobs are moved only when another would
 * not fit otherwise. Used once, for one plan.
 */
final class Layout {
    /**
     * Moves cost restarts, and the search for them time: beyond this the job gets a lesser size.
     */
    private static final int MOVES_PER_JOB_MAX = 8;

    private final int perNode;
    private final int[] free;
    private final List<Map<Integer, Integer>> places;
    private final boolean[] fixed;

    /**
     * @param perNode GPUs of a whole node
     * @param free GPUs of each node that are for training jobs
     */
    Layout(int perNode, int[] free, int jobs) {
        this.perNode = perNode;
        this.free = free.clone();
        this.places = new ArrayList<>(Collections.nCopies(jobs, Map.of()));
        this.fixed = new boolean[jobs];
    }

    /**
     * Lets a job lie where it lies.
     *
     * @param isFixed whether it must not be moved
     */
    void keep(int job, Map<Integer, Integer> place, boolean isFixed) {
        put(job, place);
        fixed[job] = isFixed;
    }

    Map<Integer, Integer> place(int job) {
        return places.get(job);
    }

    /** Finds a place; false, and nothing has changed, where there is none. */
    boolean fit(int job, int gpus) {
        int nodes = (gpus + perNode - 1) / perNode;
        if (gpus % nodes != 0 || nodes > free.length) return false;
        int each = gpus / nodes;
        var place = new TreeMap<Integer, Integer>();
        while (place.size() < nodes) {
            int node = tightest(each, free, place);
            if (node < 0) break;
            place.put(node, each);
        }
        if (place.size() < nodes && !clear(place, nodes, each)) return false;
        put(job, place);
        return true;
    }

    /** The node with the least room that suffices, so that whole nodes stay whole. */
    private static int tightest(int gpus, int[] room, Map<Integer, Integer> except) {
        int best = -1;
        for (int node = 0; node < room.length; node++) {
            if (room[node] >= gpus
                    && (best < 0 || room[node] < room[best])
                    && !except.containsKey(node)) {
                best = node;
                if (room[node] == gpus) break;
            }
        }
        return best;
    }

    /**
     * Adds nodes to the place by moving small jobs off them; the emptiest nodes first. All that are
     * not in the place have too little room, or they would be in it.
     */
    private boolean clear(Map<Integer, Integer> place, int nodes, int each) {
        int[] room = free.clone();
        place.forEach((node, gpus) -> room[node] = 0);
        var moves = new TreeMap<Integer, Integer>();
        int[] order =
                IntStream.range(0, room.length)
                        .filter(node -> room[node] > 0)
                        .boxed()
                        .sorted(Comparator.comparing((Integer node) -> -free[node]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        for (int node : order) {
            if (place.size() == nodes || moves.size() > MOVES_PER_JOB_MAX) break;
            if (empty(node, each, room, moves)) {
                place.put(node, each);
                room[node] = 0;
            }
        }
        if (place.size() < nodes || moves.size() > MOVES_PER_JOB_MAX) return false;
        for (int job : moves.keySet()) take(job);
        moves.forEach(
                (job, node) -> put(job, Map.of(node, places.get(job).values().iterator().next())));
        return true;
    }

    /** Moves jobs from the node, the smallest first, onto nodes that are in use already. */
    private boolean empty(int node, int each, int[] room, Map<Integer, Integer> moves) {
        int[] trial = room.clone();
        var trialMoves = new TreeMap<Integer, Integer>();
        for (int job : guests(node, moves)) {
            if (trial[node] >= each) break;
            int gpus = places.get(job).get(node);
            int to = -1;
            for (int other = 0; other < trial.length; other++) {
                if (other != node && trial[other] >= gpus && (to < 0 || trial[other] < trial[to]))
                    to = other;
            }
            if (to < 0) continue;
            trial[to] -= gpus;
            trial[node] += gpus;
            trialMoves.put(job, to);
        }
        if (trial[node] < each) return false;
        System.arraycopy(trial, 0, room, 0, room.length);
        moves.putAll(trialMoves);
        return true;
    }

    private List<Integer> guests(int node, Map<Integer, Integer> moves) {
        var guests = new ArrayList<Integer>();
        for (int job = 0; job < places.size(); job++) {
            Map<Integer, Integer> place = places.get(job);
            if (place.size() == 1
                    && place.containsKey(node)
                    && !fixed[job]
                    && !moves.containsKey(job)) guests.add(job);
        }
        guests.sort(Comparator.comparing(job -> places.get(job).get(node)));
        return guests;
    }

    private void put(int job, Map<Integer, Integer> place) {
        places.set(job, place);
        place.forEach((node, gpus) -> free[node] -= gpus);
    }

    /** Frees the GPUs, but remembers the place until the job is put elsewhere. */
    private void take(int job) {
        places.get(job).forEach((node, gpus) -> free[node] += gpus);
    }
}
