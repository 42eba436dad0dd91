package fairlead.server.act;

import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.NodeProgram;
import fairlead.engine.MoreVariables;
import fairlead.engine.TaskPorts;
import fairlead.job.Effect;
import fairlead.job.Limits;
import fairlead.server.wire.ActOrigin;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** The variables of ACT's jobs: the program of the node, what it must know, and Azure's names. */
public final class ActVariables implements MoreVariables {
    /** For a task that nobody has to find. */
    private static final List<String> ALONE = List.of("127.0.0.1");

    private static final String PROGRAM = NodeProgram.text();

    private final Duration grace;

    /**
     * @param grace between the polite stop of a task and the forced one
     */
    public ActVariables(Duration grace) {
        this.grace = grace;
    }

    @Override
    public IntFunction<Map<String, String>> of(
            Effect.Launch launch, List<String> hosts, TaskPorts ports) {
        Optional<ActJob> job = ActOrigin.known(launch.job().spec());
        if (job.isEmpty()) return _ -> Map.of();
        List<String> all = hosts.isEmpty() ? ALONE : hosts;
        var variables = new LinkedHashMap<String, String>();
        variables.put(NodeProgram.VARIABLE, PROGRAM);
        variables.put("FAIRLEAD_ACT_JOB", job.get().toJson());
        variables.put("FAIRLEAD_ACT_GRACE", Double.toString(grace.toMillis() / 1_000.0));
        variables.put("MASTER_IP", all.getFirst());
        variables.put("AZ_BATCHAI_JOB_MASTER_NODE_IP", all.getFirst());
        variables.put("AZ_BATCHAI_MPI_MASTER_NODE", all.getFirst());
        String list = String.join(",", all);
        // Linux takes no longer variable; a gang of thousands has to do with the master.
        if (list.length() < Limits.ARGUMENT_BYTES_MAX / 2)
            variables.put("AZ_BATCH_HOST_LIST", list);
        return _ -> variables;
    }
}
