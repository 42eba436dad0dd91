package fairlead.server.launch;

import fairlead.engine.Engine;

/**
 * Where the jobs begin whose senders have named no folder.
 *
 * @param own stands for one of the job's own, see {@link OwnFolders}
 * @param userHome of the server's account, for clusters whose tasks do not see the server's files
 */
public record WorkingFolders(String own, String userHome) {
    /**
     * @param engine of the job's cluster; null where there is no such cluster
     */
    public String of(Engine engine) {
        return engine != null && engine.terms().runsHere() ? own : userHome;
    }
}
