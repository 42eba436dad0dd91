package fairlead.job;

/** A value in a spec that cannot be accepted: which field, and what is wrong with it. */
public final class SpecException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private final String field;
    private final String problem;

    /** The field is a path as in the job file: {@code roles[1].gpus}. */
    public SpecException(String field, String problem) {
        super(field + ": " + problem);
        this.field = field;
        this.problem = problem;
    }

    public static void unless(boolean good, String field, String problem) {
        if (!good) throw new SpecException(field, problem);
    }

    public String field() {
        return field;
    }

    public String problem() {
        return problem;
    }

    /** The same mistake, seen from the record that holds this one. */
    public SpecException inside(String outer) {
        return new SpecException(outer + "." + field, problem);
    }
}
