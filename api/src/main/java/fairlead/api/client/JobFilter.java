package fairlead.api.client;

/**
 * Which jobs of the list are wanted. A null is left out.
 *
 * @param state a state's word, {@code active} or {@code finished}
 * @param before the {@code next} of the page before
 */
public record JobFilter(
        String state, String owner, String array, String cluster, Integer limit, String before) {
    public static final JobFilter ALL = new JobFilter(null, null, null, null, null, null);

    public JobFilter state(String wanted) {
        return new JobFilter(wanted, owner, array, cluster, limit, before);
    }

    public JobFilter limit(int most) {
        return new JobFilter(state, owner, array, cluster, most, before);
    }

    public JobFilter before(String next) {
        return new JobFilter(state, owner, array, cluster, limit, next);
    }
}
