package fairlead.dialects.act;

import fairlead.api.launch.LaunchHook;
import fairlead.api.launch.LaunchPlan;
import fairlead.api.launch.LaunchedJob;
import fairlead.api.launch.LaunchedTask;
import fairlead.api.launch.Misfit;
import fairlead.api.spec.SpecBody;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * The launch of ACT's and Philly's jobs: the program of the node runs around the user's command,
 * and finds itself, what it must know, and Azure's names in variables. Tasks that meet get a port
 * for it, and all begin in a folder that every machine has: the one of the laptop need not be
 * there.
 */
public final class ActLaunch implements LaunchHook {
    private static final String ANYWHERE = "/";

    /** The host of a task that nobody has to find. */
    private static final String ALONE = "127.0.0.1";

    private static final String PROGRAM = NodeProgram.text();

    private final Duration grace;

    /**
     * @param grace between the polite stop of a task and the forced one
     */
    public ActLaunch(Duration grace) {
        this.grace = grace;
    }

    @Override
    public String dialect() {
        return ActOrigin.DIALECT;
    }

    @Override
    public void check(SpecBody spec, Optional<String> user) throws Misfit {
        ActOrigin.check(spec);
    }

    @Override
    public LaunchPlan plan(SpecBody spec, String owner) throws Misfit {
        ActJob job = ActOrigin.read(spec.origin().text());
        return new LaunchPlan(
                NodeProgram::around,
                Optional.of(ANYWHERE),
                job.mpi() ? Optional.of(NodeProgram.PORT) : Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public IntFunction<Map<String, String>> variables(LaunchedJob launch) throws Misfit {
        ActJob job = ActOrigin.read(launch.spec().origin().text());
        List<String> hosts = launch.tasks().stream().map(ActLaunch::host).toList();
        var variables = new LinkedHashMap<String, String>();
        variables.put(NodeProgram.VARIABLE, PROGRAM);
        variables.put("FAIRLEAD_ACT_JOB", job.toJson());
        variables.put("FAIRLEAD_ACT_GRACE", Double.toString(grace.toMillis() / 1_000.0));
        variables.put("MASTER_IP", hosts.getFirst());
        variables.put("AZ_BATCHAI_JOB_MASTER_NODE_IP", hosts.getFirst());
        variables.put("AZ_BATCHAI_MPI_MASTER_NODE", hosts.getFirst());
        String list = hosts.stream().collect(Collectors.joining(","));
        // Linux takes no longer variable; a gang of thousands has to do with the master.
        if (list.length() < VARIABLE_BYTES_MAX / 2) variables.put("AZ_BATCH_HOST_LIST", list);
        return _ -> variables;
    }

    private static String host(LaunchedTask task) {
        return task.host().isEmpty() ? ALONE : task.host();
    }
}
