package fairlead.policy;

import java.util.stream.LongStream;

/**
 * The seeds of a property test. {@code -Dfairlead.seed=N} runs one alone, {@code
 * -Dfairlead.seeds=N} runs more, and {@code -Dfairlead.seeds.most=N} fewer, for where the same
 * tests run many times.
 */
final class Seeds {
    private Seeds() {}

    static LongStream of(long usual) {
        Long one = Long.getLong("fairlead.seed");
        if (one != null) return LongStream.of(one);
        long count = Math.max(usual, Long.getLong("fairlead.seeds", 0));
        return LongStream.range(0, Math.min(count, Long.getLong("fairlead.seeds.most", count)));
    }
}
