package fairlead.api.launch;

/**
 * Something in a job's origin that does not fit the job: which field, and what is wrong with it.
 */
public final class Misfit extends Exception {
    private static final long serialVersionUID = 1;
    private final String field;
    private final String problem;

    public Misfit(String field, String problem) {
        super(field + ": " + problem);
        this.field = field;
        this.problem = problem;
    }

    public static void unless(boolean fits, String field, String problem) throws Misfit {
        if (!fits) throw new Misfit(field, problem);
    }

    public String field() {
        return field;
    }

    public String problem() {
        return problem;
    }
}
