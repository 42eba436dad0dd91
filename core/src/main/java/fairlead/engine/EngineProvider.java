package fairlead.engine;

import java.nio.file.Path;
import java.util.Map;

/**
 * Opens engines of one kind that bring a large client along. It lies in a folder of its own, where
 * a server finds it as a service when a cluster asks for its kind; no other server loads it.
 */
public interface EngineProvider {
    /** The word in a cluster's settings. */
    String engine();

    /**
     * @param settings what the cluster's lines say, by their keys without the cluster's name; their
     *     forms have been checked
     */
    Engine open(Place place, Map<String, String> settings) throws EngineException;

    /**
     * What any engine wants to know of its server.
     *
     * @param home where it keeps its files; made when it is missing
     * @param cluster its name here, for messages
     * @param code folders in here are the server's own: whoever runs tasks elsewhere brings one
     *     that a job begins in to its tasks
     * @param logBytesMax how much of a task's log is kept
     * @param more that tasks find beside the usual variables
     */
    record Place(Path home, String cluster, Path code, long logBytesMax, MoreVariables more) {}
}
