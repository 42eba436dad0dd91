package fairlead.server.openpai;

import fairlead.dialects.openpai.PaiSpec;
import fairlead.dialects.openpai.SshScript;
import fairlead.dialects.openpai.TaskPlace;
import fairlead.dialects.openpai.Variables;
import fairlead.engine.MoreVariables;
import fairlead.engine.TaskEnvironment;
import fairlead.engine.TaskPorts;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.SpecException;
import fairlead.job.TaskId;
import fairlead.server.wire.PaiOrigin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** The variables of OpenPAI, for the tasks of jobs whose file is one of OpenPAI. Any thread. */
public final class PaiVariables implements MoreVariables {
    private static final System.Logger LOG = System.getLogger(PaiVariables.class.getName());

    private final String defaultFsUri;
    private final SshKeys keys;

    /**
     * @param defaultFsUri what {@code $PAI_DEFAULT_FS_URI} stands for, without a slash at its end
     */
    public PaiVariables(String defaultFsUri, SshKeys keys) {
        this.defaultFsUri = defaultFsUri;
        this.keys = keys;
    }

    @Override
    public IntFunction<Map<String, String>> of(
            Effect.Launch launch, List<String> hosts, TaskPorts ports) {
        Optional<PaiSpec.Known> known = known(launch);
        if (known.isEmpty()) return _ -> Map.of();
        var places = new ArrayList<TaskPlace>();
        for (int rank = 0; rank < hosts.size(); rank++) {
            TaskId task = launch.place().placement().tasks().get(rank).task();
            places.add(
                    new TaskPlace(
                            task.role(),
                            task.index(),
                            hosts.get(rank),
                            containerId(launch.attempt(), task),
                            ports.of(rank)));
        }
        String user = known.get().userOr(launch.job().owner());
        var attempt = new Variables.Attempt(user, defaultFsUri, appId(launch.attempt()));
        var variables = new Variables(known.get().job(), attempt, places);
        Map<String, String> ssh = ssh(launch.job().id());
        return rank -> {
            var all = new LinkedHashMap<>(ssh);
            all.putAll(variables.of(places.get(rank)));
            return all;
        };
    }

    private Map<String, String> ssh(JobId job) {
        var all =
                new LinkedHashMap<>(
                        SshScript.variables(keys.publicKey(job), keys.privateKey(job).strip()));
        all.put(TaskEnvironment.TASK_FOLDER, "");
        return all;
    }

    /** Whatever was checked at the submit fits, unless an older server has checked it. */
    private static Optional<PaiSpec.Known> known(Effect.Launch launch) {
        try {
            return PaiOrigin.of(launch.job().spec());
        } catch (SpecException unfit) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} starts without the variables of OpenPAI: {1}",
                    launch.attempt(),
                    unfit.getMessage());
            return Optional.empty();
        }
    }

    /** What OpenPAI's users know an attempt by. */
    public static String appId(AttemptId attempt) {
        return "application_" + attempt.job().text() + "_" + attempt.number();
    }

    /** What they know one run of a task by. */
    public static String containerId(AttemptId attempt, TaskId task) {
        return "container_%s_%d_%s_%d"
                .formatted(attempt.job().text(), attempt.number(), task.role(), task.index());
    }
}
