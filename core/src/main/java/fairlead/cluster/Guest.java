package fairlead.cluster;

import java.time.Instant;
import java.util.Optional;

/**
 * Work on a cluster that somebody else has started and whose owner is known, such as a pod made by
 * hand. Nobody here decides about it, but it stands in the queue that people look at.
 *
 * @param owner as its label says
 * @param priority among the owner's own, as its label says; zero when that is no number
 * @param node empty while it waits for one
 * @param status in the cluster's own word, such as Running or Pending
 * @param started empty while it waits
 */
public record Guest(
        String name,
        String namespace,
        String owner,
        int priority,
        int gpus,
        Optional<String> node,
        String status,
        Instant created,
        Optional<Instant> started) {
    /** Thousandths of GPUs that it keeps from others; none before it has a node. */
    public long milliGpusHeld() {
        return node.isPresent() ? 1_000L * gpus : 0;
    }
}
