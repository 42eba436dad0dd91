package fairlead.job;

/** One try at running all tasks of a job, and where it holds its resources. */
public record Attempt(AttemptId id, Placement placement) {}
