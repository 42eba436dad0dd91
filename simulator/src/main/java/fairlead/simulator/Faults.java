package fairlead.simulator;

/**
 * How often things go wrong, each as a chance out of 1,000.
 *
 * @param lostRequest a call to the engine fails before it does anything
 * @param lostAnswer a call to the engine does its work and then fails
 * @param failedCommit the journal cannot be written
 * @param crash the server dies at a commit, before or after it is durable
 * @param lostNode a node vanishes with its tasks and comes back later (at each look)
 * @param lostTask a task vanishes without an exit code (at each look)
 * @param clockJump the server's clock stands an hour back for a tick
 */
public record Faults(
        int lostRequest,
        int lostAnswer,
        int failedCommit,
        int crash,
        int lostNode,
        int lostTask,
        int clockJump) {
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0);
}
