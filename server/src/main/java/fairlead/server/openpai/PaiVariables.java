package fairlead.server.openpai;

import fairlead.dialects.openpai.PaiSpec;
import fairlead.dialects.openpai.TaskPlace;
import fairlead.dialects.openpai.Variables;
import fairlead.engine.MoreVariables;
import fairlead.engine.TaskPorts;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.SpecException;
import fairlead.job.TaskId;
import fairlead.server.wire.PaiOrigin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** The variables of OpenPAI, for the tasks of jobs whose file is one of OpenPAI. Any thread. */
public final class PaiVariables implements MoreVariables {
    private static final System.Logger LOG = System.getLogger(PaiVariables.class.getName());

    private final String defaultFsUri;

    /**
     * @param defaultFsUri what {@code $PAI_DEFAULT_FS_URI} stands for, without a slash at its end
     */
    public PaiVariables(String defaultFsUri) {
        this.defaultFsUri = defaultFsUri;
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
        var attempt =
                new Variables.Attempt(known.get().user(), defaultFsUri, appId(launch.attempt()));
        var variables = new Variables(known.get().job(), attempt, places);
        return rank -> variables.of(places.get(rank));
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
