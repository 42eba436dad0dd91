package fairlead.api.client;

/**
 * Which jobs of the list are wanted. A null is left out.
 *
 * @param state a state's word, {@code active} or {@code finished}
 * @param before the {@code next} of the page before
 * @param arraysOnce whether one job stands for all of its array
 */
public record JobFilter(
        String state,
        String owner,
        String array,
        String cluster,
        Integer limit,
        String before,
        boolean arraysOnce) {
    public static final JobFilter ALL = new JobFilter(null, null, null, null, null, null);

    /** Each job of an array by itself. */
    public JobFilter(
            String state,
            String owner,
            String array,
            String cluster,
            Integer limit,
            String before) {
        this(state, owner, array, cluster, limit, before, false);
    }

    public JobFilter withArraysOnce() {
        return new JobFilter(state, owner, array, cluster, limit, before, true);
    }

    public JobFilter state(String wanted) {
        return new JobFilter(wanted, owner, array, cluster, limit, before, arraysOnce);
    }

    public JobFilter limit(int most) {
        return new JobFilter(state, owner, array, cluster, most, before, arraysOnce);
    }

    public JobFilter before(String next) {
        return new JobFilter(state, owner, array, cluster, limit, next, arraysOnce);
    }
}
