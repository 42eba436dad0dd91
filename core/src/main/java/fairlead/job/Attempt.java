package fairlead.job;

/**
 * One try at running all tasks of a job, and where it holds its resources.
 *
 * @param endpoints known once it runs
 */
public record Attempt(AttemptId id, Placement placement, Endpoints endpoints) {
    public Attempt(AttemptId id, Placement placement) {
        this(id, placement, Endpoints.NONE);
    }

    Attempt at(Endpoints endpoints) {
        return new Attempt(id, placement, endpoints);
    }
}
