package fairlead.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much GPU memory the owners of models would declare, found from which pairs fit: every
 * forbidden pair takes more than the GPU has, and nearly every other one fits.
 *
 * <p>Models are taken out one after the other. One that fits beside all that are left gets the
 * least memory that was not given yet. Where there is none, the one that fits beside the fewest
 * gets the most: with some of these few it might have fitted, but owners over-estimate too. The
 * k-th least and the k-th most fill the GPU exactly, so what was decided stays true.
 *
 * <p>Example, in tenths of the GPU: A fits beside nobody, B beside C and beside another B, C not
 * beside another C. A is taken out first, with 10; then B, which fits beside all left, with 2; then
 * C, with 8.
 */
final class PairMemory {
    private PairMemory() {}

    /** In bytes by model; a declared peak, so at least a little for everyone. */
    static Map<String, Long> declared(PairTable table, long gpuBytes) {
        var left = new ArrayList<>(table.models());
        long step = gpuBytes / 2 / (left.size() + 1);
        var declared = new HashMap<String, Long>();
        for (int k = 0; !left.isEmpty(); k++) {
            Comparator<String> byForbidden =
                    Comparator.comparingLong(model -> forbidden(table, model, left));
            String modest = left.stream().min(byForbidden).orElseThrow();
            boolean fitsAll = forbidden(table, modest, left) == 0;
            String next = fitsAll ? modest : left.stream().max(byForbidden).orElseThrow();
            declared.put(next, fitsAll ? (k + 1) * step : gpuBytes - k * step);
            left.remove(next);
        }
        return declared;
    }

    private static long forbidden(PairTable table, String model, List<String> others) {
        return others.stream().filter(other -> table.isForbidden(model, other)).count();
    }
}
