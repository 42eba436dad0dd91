package fairlead.dialects.openpai;

import fairlead.api.launch.FetchedFolder;
import fairlead.api.launch.LaunchHook;
import fairlead.api.launch.LaunchPlan;
import fairlead.api.launch.LaunchedJob;
import fairlead.api.launch.LaunchedTask;
import fairlead.api.launch.LoginFile;
import fairlead.api.launch.Misfit;
import fairlead.api.spec.SpecBody;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** The launch of OpenPAI's jobs: their code, the login of their image, and their variables. */
public final class PaiLaunch implements LaunchHook {
    /** Asks the engine for a folder of the task's own, see {@link SshScript}. */
    private static final String TASK_FOLDER = "FAIRLEAD_TASK_FOLDER";

    private final String defaultFsUri;
    private final Keys keys;

    /** The key pair of each job for logging in to its tasks, as OpenSSH reads it. */
    public interface Keys {
        String publicKey(String job);

        String privateKey(String job);
    }

    /**
     * @param defaultFsUri what {@code $PAI_DEFAULT_FS_URI} stands for, without a slash at its end
     */
    public PaiLaunch(String defaultFsUri, Keys keys) {
        this.defaultFsUri = defaultFsUri;
        this.keys = keys;
    }

    @Override
    public String dialect() {
        return PaiOrigin.DIALECT;
    }

    @Override
    public void check(SpecBody spec, Optional<String> user) throws Misfit {
        PaiOrigin.check(spec, user);
    }

    @Override
    public LaunchPlan plan(SpecBody spec, String owner) throws Misfit {
        PaiOrigin.Known known = PaiOrigin.of(spec);
        PaiJob job = known.job();
        String user = known.userOr(owner);
        var addresses = Addresses.of(job, user, defaultFsUri);
        Optional<FetchedFolder> code =
                job.codeDir().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new CodeFolder(job.codeDir(), addresses.codeDir(), user));
        Optional<LoginFile> login =
                job.authFile().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new AuthFile(addresses.authFile(), user));
        return new LaunchPlan(
                UnaryOperator.identity(), Optional.empty(), Optional.empty(), code, login);
    }

    @Override
    public IntFunction<Map<String, String>> variables(LaunchedJob launch) throws Misfit {
        PaiOrigin.Known known = PaiOrigin.of(launch.spec());
        List<TaskPlace> places =
                launch.tasks().stream()
                        .map(
                                task ->
                                        new TaskPlace(
                                                task.role(),
                                                task.index(),
                                                task.host(),
                                                containerId(launch, task),
                                                task.ports()))
                        .toList();
        String app = appId(launch.id(), launch.attempt());
        var attempt = new Variables.Attempt(known.userOr(launch.owner()), defaultFsUri, app);
        var variables = new Variables(known.job(), attempt, places);
        Map<String, String> ssh = ssh(launch.id());
        return rank -> {
            var all = new LinkedHashMap<>(ssh);
            all.putAll(variables.of(places.get(rank)));
            return all;
        };
    }

    private Map<String, String> ssh(String job) {
        var all =
                new LinkedHashMap<>(
                        SshScript.variables(keys.publicKey(job), keys.privateKey(job).strip()));
        all.put(TASK_FOLDER, "");
        return all;
    }

    private static String containerId(LaunchedJob launch, LaunchedTask task) {
        return containerId(launch.id(), launch.attempt(), task.role(), task.index());
    }

    /** What OpenPAI's users know an attempt by. */
    public static String appId(String job, int attempt) {
        return "application_" + job + "_" + attempt;
    }

    /** What they know one run of a task by. */
    public static String containerId(String job, int attempt, String role, int index) {
        return "container_%s_%d_%s_%d".formatted(job, attempt, role, index);
    }
}
