package fairlead.engines.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.cluster.Node;
import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.engine.TaskEnvironment;
import fairlead.engines.local.container.ContainerProgram;
import fairlead.engines.local.container.Containers;
import fairlead.engines.local.linux.Accounts;
import fairlead.engines.local.linux.Cgroups;
import fairlead.engines.local.linux.Inherited;
import fairlead.engines.local.linux.Libc;
import fairlead.engines.local.linux.Mounts;
import fairlead.engines.local.linux.Ports;
import fairlead.engines.local.linux.Processes;
import fairlead.engines.local.linux.Shim;
import fairlead.engines.local.linux.Spawner;
import fairlead.engines.local.task.ContainerRun;
import fairlead.engines.local.task.LiveTask;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Spawns the shim of a task with the right arguments, environment, account and control group. */
final class TaskStarter {
    /** Of a root server's own environment, what is fit for the eyes of other accounts. */
    private static final List<String> HARMLESS = List.of("PATH", "LANG", "TZ");

    private static final String ENV = "/usr/bin/env";
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Optional<Cgroups> cgroups;
    private final Mounts mounts;
    private final Containers containers;
    private final Inherited inherited;
    private final Node node;

    TaskStarter(
            Optional<Cgroups> cgroups,
            Mounts mounts,
            Containers containers,
            Inherited inherited,
            Node node) {
        this.cgroups = cgroups;
        this.mounts = mounts;
        this.containers = containers;
        this.inherited = inherited;
        this.node = node;
    }

    /** Why no task of the spec can ever start here; empty when they can. */
    Optional<String> refusal(JobSpec spec) {
        return spec.user()
                .flatMap(Accounts::refusal)
                .or(() -> clusterRefusal(spec.container()))
                .or(() -> Ports.refusal(spec.container().ports()))
                .or(() -> containers.refusal(spec))
                .or(
                        () ->
                                containers.of(spec).isPresent()
                                        ? ContainerRun.refusal(spec, Accounts.other(spec.user()))
                                        : processRefusal(spec));
    }

    private Optional<String> processRefusal(JobSpec spec) {
        return imageRefusal(spec.container().details())
                .or(() -> folderRefusal(spec.workingFolder()))
                .or(() -> mounts.refusal(spec.container().mounts(), Accounts.other(spec.user())));
    }

    /** What only a cluster of many machines has. */
    private static Optional<String> clusterRefusal(Container container) {
        for (Container.Mount mount : container.mounts()) {
            if (!(mount.source() instanceof Container.Folder))
                return Optional.of(
                        "this cluster has no claims; mount a folder at "
                                + mount.target()
                                + " instead");
        }
        if (container.details().service() == Container.Service.LOAD_BALANCER)
            return Optional.of("nothing stands before this machine that could balance its load");
        return Optional.empty();
    }

    /** What only an image has. */
    private static Optional<String> imageRefusal(Container.Details details) {
        if (details.ownEntryPoint())
            return Optional.of(
                    "this cluster runs without images, so it cannot run the image's own entry"
                            + " point; say the whole command");
        if (details.runAs().isPresent())
            return Optional.of(
                    "this cluster knows accounts by their names; say user instead of runAs");
        return Optional.empty();
    }

    private static Optional<String> folderRefusal(String folder) {
        return folder.isEmpty()
                ? Optional.of(
                        "this cluster runs without images, so there is no folder of one; say"
                                + " workdir")
                : Optional.empty();
    }

    /**
     * Answers the shim's pid, or nothing when the task can never start: then its exit is written.
     *
     * @throws EngineException when it could not start now; nothing was started
     */
    Optional<Integer> start(Effect.Launch launch, LiveTask task, Map<String, String> variables)
            throws EngineException, IOException {
        JobSpec spec = launch.job().spec();
        Role role = spec.role(task.id.role());
        var refusal = refusal(spec);
        if (refusal.isPresent()) return never(task, refusal.get());
        var program = containers.of(spec);
        if (program.isPresent()) return contained(program.get(), launch, task, variables);
        var account = Accounts.other(spec.user());
        String group = group(task, role.resources());
        var all = new LinkedHashMap<>(spec.environment());
        all.putAll(variables);
        if (variables.containsKey(TaskEnvironment.TASK_FOLDER)) {
            Path own = task.attempt.files.makeFolder(task.id, account);
            all.put(TaskEnvironment.TASK_FOLDER, own.toString());
        }
        String folder = spec.workingFolder();
        List<String> command = withOddVariables(all, role.command());
        boolean mounted = !spec.container().mounts().isEmpty();
        if (mounted) {
            // From here on the steps around the command see to the folder, which may be a mount.
            command = mounts.around(spec.container().mounts(), account, folder, command);
            folder = "/";
        }
        List<byte[]> environment;
        if (account.isPresent()) {
            var setpriv = Accounts.setpriv().orElseThrow().toString();
            command = Shim.dropped(account.get(), setpriv, folder, command);
            folder = "/";
            environment = veiled(account.get(), all, task.mark);
            giveLog(task, account.get());
        } else {
            if (!mounted) command = located(command, all);
            environment = plain(all, task.mark);
        }
        String files = task.attempt.files.path(task.id).toString();
        var arguments = Shim.arguments(files, folder, group, inherited.umask(), command);
        return spawned(task, arguments, environment, input(spec, task, account));
    }

    /** The limits are the container's, so there is no control group of ours. */
    private Optional<Integer> contained(
            ContainerProgram program,
            Effect.Launch launch,
            LiveTask task,
            Map<String, String> variables)
            throws EngineException, IOException {
        JobSpec spec = launch.job().spec();
        var run =
                new ContainerRun(
                        program,
                        task.attempt.id,
                        task.id,
                        task.mark,
                        spec,
                        node.name(),
                        realGpus(launch, task),
                        Accounts.other(spec.user()),
                        variables,
                        login(launch, task),
                        mountsFolder(spec));
        var files = task.attempt.files;
        Path variableFile = files.containerVariables(task.id);
        OwnerOnly.replace(variableFile, run.fileText());
        OwnerOnly.replace(files.containerProgram(task.id), program.path() + "\n");
        var command = run.command(files.containerId(task.id).toString(), variableFile.toString());
        var arguments =
                Shim.arguments(files.path(task.id).toString(), "/", "", inherited.umask(), command);
        var environment = plain(run.beside(), task.mark);
        return spawned(task, arguments, environment, input(spec, task, Optional.empty()));
    }

    private static Optional<Path> login(Effect.Launch launch, LiveTask task) throws IOException {
        if (launch.login().isEmpty()) return Optional.empty();
        return Optional.of(task.attempt.files.writeLogin(task.id, launch.login().get()));
    }

    private List<Integer> realGpus(Effect.Launch launch, LiveTask task) {
        if (node.gpus().stream().anyMatch(gpu -> gpu.type().equals(Machine.DECLARED)))
            return List.of();
        return launch.place().placement().tasks().stream()
                .filter(place -> place.task().equals(task.id))
                .flatMap(place -> place.gpus().stream())
                .toList();
    }

    /** A folder that the image is to have, unless a mount brings it along. */
    private static boolean mountsFolder(JobSpec spec) {
        if (spec.workingFolder().isEmpty()) return false;
        Path folder = Path.of(spec.workingFolder()).normalize();
        boolean isMounted =
                spec.container().mounts().stream()
                        .anyMatch(mount -> folder.startsWith(Path.of(mount.target()).normalize()));
        return !isMounted && folder.getNameCount() > 0 && Files.isDirectory(folder);
    }

    private Optional<Integer> spawned(
            LiveTask task, List<byte[]> arguments, List<byte[]> environment, Optional<String> input)
            throws EngineException, IOException {
        var streams = new Spawner.Streams.ToLog(input, task.attempt.files.log(task.id).toString());
        int pid = Spawner.spawn(Shim.PROGRAM, arguments, environment, streams);
        if (pid > 0) return Optional.of(pid);
        if (pid == -Libc.E2BIG) {
            return never(task, "command and environment together are too long for this machine");
        }
        throw new EngineException(
                "cannot start %s of %s: %s"
                        .formatted(task.id, task.attempt.id, Libc.errorText(-pid)));
    }

    /**
     * The command under {@code env} with those variables whose names a shell does not take: it
     * would stop at them, or lose them. They are removed from the others.
     */
    private static List<String> withOddVariables(
            Map<String, String> variables, List<String> command) {
        var words = new ArrayList<>(List.of(ENV, "--"));
        variables.forEach(
                (name, value) -> {
                    if (!SHELL_NAME.matcher(name).matches()) words.add(name + "=" + value);
                });
        if (words.size() == 2) return command;
        variables.keySet().removeIf(name -> !SHELL_NAME.matcher(name).matches());
        words.addAll(command);
        return words;
    }

    /** The command with the full path of its program, where the PATH leads to it for certain. */
    private List<String> located(List<String> command, Map<String, String> variables) {
        String program = command.getFirst();
        if (program.contains("/")) return command;
        String search = variables.get("PATH");
        if (search == null) search = inherited.path();
        for (String folder : search.split(":")) {
            // Relative to a working folder that the task has yet to enter.
            if (!folder.startsWith("/")) return command;
            Path candidate = Path.of(folder, program);
            if (!Files.isRegularFile(candidate) || !Files.isExecutable(candidate)) continue;
            var located = new ArrayList<>(command);
            located.set(0, candidate.toString());
            return located;
        }
        return command;
    }

    private Optional<Integer> never(LiveTask task, String reason) throws IOException {
        var files = task.attempt.files;
        if (!files.claimForNobody(task.id)) return Optional.empty();
        OwnerOnly.write(
                files.log(task.id), "fairlead: " + reason + "\n", StandardOpenOption.APPEND);
        files.writeExit(task.id, Shim.CANNOT_RUN, reason);
        return Optional.empty();
    }

    private String group(LiveTask task, Resources limits) throws IOException {
        if (cgroups.isEmpty() || (limits.cpus() == 0 && limits.memoryBytes() == 0)) return "";
        return cgroups.get().create(task.groupName(), limits).toString();
    }

    private List<byte[]> plain(Map<String, String> variables, String mark) {
        var entries = new LinkedHashMap<>(inherited.entries());
        variables.forEach((name, value) -> entries.put(name, entry(name, value)));
        entries.put(Processes.MARK, entry(Processes.MARK, mark));
        return List.copyOf(entries.values());
    }

    /** For a shim that stays root: see {@link Shim} for why the variables go by other names. */
    private List<byte[]> veiled(
            Accounts.Account account, Map<String, String> variables, String mark) {
        var forTask = new LinkedHashMap<String, String>();
        forTask.put("HOME", account.home());
        forTask.put("USER", account.name());
        forTask.put("LOGNAME", account.name());
        forTask.put("SHELL", account.shell());
        forTask.putAll(variables);
        var entries = new LinkedHashMap<String, byte[]>();
        inherited
                .entries()
                .forEach(
                        (name, entry) -> {
                            if (HARMLESS.contains(name) || name.startsWith("LC_"))
                                entries.put(name, entry);
                        });
        String names = String.join(" ", forTask.keySet());
        entries.put("FAIRLEAD_VARIABLES", entry("FAIRLEAD_VARIABLES", names));
        forTask.forEach(
                (name, value) ->
                        entries.put(name + "=", entry("FAIRLEAD_VARIABLE_" + name, value)));
        entries.put(Processes.MARK, entry(Processes.MARK, mark));
        return List.copyOf(entries.values());
    }

    /** So that the task may open /dev/stdout and /dev/stderr by name, as shell scripts like to. */
    private static void giveLog(LiveTask task, Accounts.Account account) throws IOException {
        Path log = task.attempt.files.log(task.id);
        OwnerOnly.open(log).close();
        Files.setAttribute(log, "unix:uid", account.uid());
    }

    /** The pipe that feeds the task's standard input, if the spec asks for one. */
    private static Optional<String> input(
            JobSpec spec, LiveTask task, Optional<Accounts.Account> account) throws IOException {
        if (!spec.container().details().stdin()) return Optional.empty();
        Path pipe = task.attempt.files.input(task.id);
        int answer = Libc.makePipe(pipe.toString());
        // One that is there is of a launch that is repeated.
        if (answer < 0 && answer != -Libc.EEXIST)
            throw new IOException(pipe + ": " + Libc.errorText(-answer));
        if (account.isPresent()) Files.setAttribute(pipe, "unix:uid", account.get().uid());
        return Optional.of(pipe.toString());
    }

    private static byte[] entry(String name, String value) {
        return (name + "=" + value).getBytes(UTF_8);
    }
}
