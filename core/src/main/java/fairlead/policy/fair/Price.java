package fairlead.policy.fair;

import fairlead.policy.fair.Candidates.Candidate;

import java.util.ArrayList;
import java.util.List;

/**
 * What stops cost.
 *
 * @param lowestRank from whom they take at worst
 * @param lost the work that is lost
 */
record Price(long lowestRank, long lost) implements Comparable<Price> {
    static final Price ANY = new Price(-1, Long.MAX_VALUE);

    static Price of(List<Candidate> chosen) {
        return new Price(
                chosen.stream().mapToLong(Candidate::rank).min().orElseThrow(),
                chosen.stream().mapToLong(Candidate::lost).sum());
    }

    /**
     * Whether the first cost less than the others, by those in whom they differ: what both take
     * says nothing about which of the rest their owners would give up first. None at all means that
     * nothing was found.
     */
    static boolean isLess(List<Candidate> some, List<Candidate> others) {
        if (some.isEmpty() || others.isEmpty()) return !some.isEmpty();
        var only = new ArrayList<>(some);
        only.removeAll(others);
        var othersOnly = new ArrayList<>(others);
        othersOnly.removeAll(some);
        if (only.isEmpty() || othersOnly.isEmpty()) return only.size() < othersOnly.size();
        return of(only).compareTo(of(othersOnly)) < 0;
    }

    /** Where the worst is a job on several nodes, it says nothing about the others. */
    Price orMoreWork() {
        return new Price(lowestRank, Long.MAX_VALUE);
    }

    @Override
    public int compareTo(Price other) {
        int byRank = Long.compare(other.lowestRank, lowestRank);
        return byRank != 0 ? byRank : Long.compare(lost, other.lost);
    }
}
