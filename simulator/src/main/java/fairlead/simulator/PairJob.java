package fairlead.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A training job on one GPU whose speed depends on its neighbour there.
 *
 * @param epochSteps what the script does between two reports
 */
record PairJob(String model, int epochs, double epochSteps) {
    /** Alone on a GPU an epoch takes a few minutes. */
    private static final int EPOCH_SECONDS_MIN = 120;

    private static final int EPOCH_SECONDS_MAX = 300;

    /**
     * As many jobs of each model as of any other, or one more, in an order from the seed. Jobs of a
     * model are alike, as those of a search for hyperparameters are.
     *
     * @param epochs of the shortest jobs; the longest have a third more
     */
    static List<PairJob> draw(PairTable table, int count, int epochs, long seed) {
        var dice = new SplittableRandom(seed);
        var kinds = new ArrayList<PairJob>();
        for (String model : table.models()) {
            int seconds = dice.nextInt(EPOCH_SECONDS_MIN, EPOCH_SECONDS_MAX + 1);
            int length = epochs + dice.nextInt(epochs / 3 + 1);
            kinds.add(new PairJob(model, length, seconds * table.alone(model)));
        }
        var jobs = new ArrayList<PairJob>();
        while (jobs.size() < count) {
            jobs.add(dice.nextInt(jobs.size() + 1), kinds.get(jobs.size() % kinds.size()));
        }
        return jobs;
    }
}
