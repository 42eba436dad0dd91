package fairlead.api.view;

import fairlead.api.spec.OriginBody;

import java.util.List;
import java.util.Optional;

/**
 * How a dialect shows a job: in the words of its owner, not in those that the dialect made of them.
 * It is asked about every job, because a spec can be copied without its origin. Any thread.
 */
public interface JobView {
    /** Without what this dialect puts around the commands of its jobs; any other as it is. */
    List<String> written(List<String> command);

    /** The name of the config file that a job was made from; empty for jobs of other dialects. */
    Optional<String> config(OriginBody origin);

    /**
     * The unique keys, {@code DIALECT:KEY}, of the jobs that this dialect calls so.
     *
     * @param caller who says it
     */
    default List<String> keys(String word, String caller) {
        return List.of();
    }
}
