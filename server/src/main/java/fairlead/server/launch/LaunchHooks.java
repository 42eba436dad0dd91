package fairlead.server.launch;

import fairlead.api.launch.LaunchHook;
import fairlead.api.launch.LaunchPlan;
import fairlead.api.launch.LaunchedJob;
import fairlead.api.launch.LaunchedTask;
import fairlead.api.launch.Misfit;
import fairlead.engine.MoreVariables;
import fairlead.engine.TaskPorts;
import fairlead.job.Effect;
import fairlead.job.JobSpec;
import fairlead.job.Origin;
import fairlead.job.SpecException;
import fairlead.job.TaskId;
import fairlead.wire.Specs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** The hooks of all dialects whose jobs this server launches, each for its own jobs. Any thread. */
public final class LaunchHooks implements MoreVariables {
    private static final System.Logger LOG = System.getLogger(LaunchHooks.class.getName());

    private final Map<String, LaunchHook> byDialect = new LinkedHashMap<>();

    public LaunchHooks(List<LaunchHook> hooks) {
        for (LaunchHook hook : hooks) byDialect.put(hook.dialect(), hook);
    }

    /**
     * Refuses a spec whose origin is of no dialect that is known here, or does not fit the job.
     *
     * @param user whose names may be used; empty for all
     */
    public void check(JobSpec spec, Optional<String> user) {
        if (spec.origin().isEmpty()) return;
        String dialect = spec.origin().get().dialect();
        LaunchHook hook = byDialect.get(dialect);
        SpecException.unless(
                hook != null,
                "origin.dialect",
                "must be %s, but is '%s'"
                        .formatted(String.join(" or ", byDialect.keySet()), dialect));
        try {
            hook.check(Specs.shown(spec), user);
        } catch (Misfit misfit) {
            throw new SpecException(misfit.field(), misfit.problem());
        }
    }

    /** That of a plain job for one whose origin does not fit: only an older server has taken it. */
    LaunchPlan plan(JobSpec spec, String owner) {
        Optional<LaunchHook> hook = hook(spec);
        if (hook.isEmpty()) return LaunchPlan.NONE;
        try {
            return hook.get().plan(Specs.shown(spec), owner);
        } catch (Misfit _) {
            return LaunchPlan.NONE;
        }
    }

    private Optional<LaunchHook> hook(JobSpec spec) {
        return spec.origin().map(Origin::dialect).map(byDialect::get);
    }

    @Override
    public IntFunction<Map<String, String>> of(
            Effect.Launch launch, List<String> hosts, TaskPorts ports) {
        Optional<LaunchHook> hook = hook(launch.job().spec());
        if (hook.isEmpty()) return _ -> Map.of();
        try {
            return hook.get().variables(launched(launch, hosts, ports));
        } catch (Misfit misfit) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} starts without the variables of {1}: {2}",
                    launch.attempt(),
                    hook.get().dialect(),
                    misfit.getMessage());
            return _ -> Map.of();
        }
    }

    private static LaunchedJob launched(Effect.Launch launch, List<String> hosts, TaskPorts ports) {
        var tasks = new ArrayList<LaunchedTask>();
        for (int rank = 0; rank < launch.place().placement().tasks().size(); rank++) {
            TaskId task = launch.place().placement().tasks().get(rank).task();
            String host = hosts.isEmpty() ? "" : hosts.get(rank);
            tasks.add(new LaunchedTask(task.role(), task.index(), host, ports.of(rank)));
        }
        return new LaunchedJob(
                launch.job().id().text(),
                launch.attempt().number(),
                launch.job().owner(),
                Specs.shown(launch.job().spec()),
                tasks);
    }
}
