package fairlead.engines.local.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engines.local.container.ContainerProgram;
import fairlead.engines.local.linux.Accounts;
import fairlead.engines.local.linux.Processes;
import fairlead.engines.local.linux.Shim;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.JobSpec;
import fairlead.job.Role;
import fairlead.job.TaskId;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The words that run a task as a container, and what of its variables goes which way.
 *
 * <p>The program stays in the foreground as the child of the shim, hands on signals and answers the
 * command's exit code. Whatever it leaves behind when it fails or is killed is found by a label
 * with the task's mark. A name would not do: it may be another's. Nor would the file that takes the
 * container's id: it is written a moment too late.
 *
 * @param program what runs it
 * @param gpus the numbers of its real GPUs
 * @param account whom it runs as, where that is not the server's own account
 * @param variables what the engine tells the task
 * @param login the folder of the file with the login to the image's registry, if it needs one
 * @param mountsFolder whether the working folder is one of the machine's, to be found inside
 */
public record ContainerRun(
        ContainerProgram program,
        AttemptId attempt,
        TaskId task,
        String mark,
        JobSpec spec,
        String host,
        List<Integer> gpus,
        Optional<Accounts.Account> account,
        Map<String, String> variables,
        Optional<Path> login,
        boolean mountsFolder) {
    /** What docker calls it in the folder of its settings; podman takes any name. */
    static final String LOGIN_FILE = "config.json";

    /** Bears the task's mark. */
    static final String MARK_LABEL = "fairlead.mark";

    /**
     * From 125 on a code may be the program's own, or that of one that was killed; and a signal may
     * have come when there was no command yet to hear it. Podman then answers 0, as if a command
     * had ended well, and has made no container yet or leaves it behind.
     */
    private static final String SCRIPT =
            """
            unset FAIRLEAD_STOPPED
            trap FAIRLEAD_STOPPED=1 HUP INT QUIT TERM
            FAIRLEAD_LABEL=$1
            FAIRLEAD_ID=$2
            shift 2
            [ -z "$FAIRLEAD_STOPPED" ] || exit 143
            "$@"
            FAIRLEAD_CODE=$?
            [ "$FAIRLEAD_CODE" -ge 125 ] || [ -n "$FAIRLEAD_STOPPED" ] || exit "$FAIRLEAD_CODE"
            [ "$FAIRLEAD_CODE" -ne 0 ] || [ -s "$FAIRLEAD_ID" ] || FAIRLEAD_CODE=143
            for FAIRLEAD_TRY in 1 2 3; do
                FAIRLEAD_IDS=$("$1" ps --all --quiet --no-trunc \\
                    --filter "label=$FAIRLEAD_LABEL" 2>/dev/null) || continue
                [ -n "$FAIRLEAD_IDS" ] || break
                [ "$FAIRLEAD_CODE" -ne 0 ] || FAIRLEAD_CODE=143
                "$1" rm --force $FAIRLEAD_IDS >/dev/null 2>&1
            done
            exit "$FAIRLEAD_CODE"
            """;

    /** Both programs refuse lines above 64 KiB in a file of variables. */
    private static final int LINE_BYTES_MAX = 32_768;

    /** The variables that make the labels of OpenPAI's containers. */
    private static final List<String> PAI_LABELS =
            List.of(
                    "PAI_JOB_NAME",
                    "PAI_JOB_VC_NAME",
                    "PAI_USER_NAME",
                    "PAI_CURRENT_TASK_ROLE_NAME");

    private static final String PAI_ID = "PAI_CONTAINER_ID";

    /**
     * Why the spec cannot run in a container here; empty when it can.
     *
     * @param other whom it runs as, where that is not the server's own account
     */
    public static Optional<String> refusal(JobSpec spec, Optional<Accounts.Account> other) {
        String image = spec.container().image().orElseThrow();
        // It would be an option of the program.
        if (image.startsWith("-"))
            return Optional.of("an image does not begin with '-', but this one is " + image);
        for (Container.Mount mount : spec.container().mounts()) {
            if ((mount.target() + folder(mount)).contains(","))
                return Optional.of(
                        "a folder with a comma in its path cannot be mounted: " + mount.target());
        }
        if (spec.workingFolder().contains(","))
            return Optional.of(
                    "a folder with a comma in its path cannot be mounted: " + spec.workingFolder());
        if (other.isEmpty()) return Optional.empty();
        if (spec.container().details().runAs().isPresent())
            return Optional.of("say only one of user and runAs");
        // The program mounts as root, so the account would see what it may not.
        if (!spec.container().mounts().isEmpty() || !spec.workingFolder().isEmpty())
            return Optional.of(
                    "in a container, a task of another account has no folders of the machine;"
                            + " leave out mounts and workdir");
        return spec.environment().entrySet().stream()
                .filter(entry -> !fitsInFile(entry.getValue()))
                .map(Map.Entry::getKey)
                .findFirst()
                .map(
                        name ->
                                "the variable "
                                        + name
                                        + " cannot be given to a container of another account: it"
                                        + " has a line break, begins with a quote or is above"
                                        + " 32 KiB");
    }

    private static String folder(Container.Mount mount) {
        return mount.source() instanceof Container.Folder(String path) ? path : "";
    }

    /**
     * @param idFile takes the container's id, for whoever enters it later
     * @param variableFile has {@link #fileText}
     */
    public List<String> command(String idFile, String variableFile) {
        var words = new ArrayList<>(List.of(Shim.PROGRAM, "-c", SCRIPT, "fairlead"));
        words.add(MARK_LABEL + "=" + mark);
        words.add(idFile);
        words.add(program.path());
        boolean isPodman = program.isPodman();
        if (!isPodman) login.ifPresent(folder -> words.add("--config=" + folder));
        words.addAll(List.of("run", "--rm", "--init", "--network=host"));
        if (isPodman)
            login.ifPresent(folder -> words.add("--authfile=" + folder.resolve(LOGIN_FILE)));
        words.addAll(List.of("--name=" + name(), "--cidfile=" + idFile));
        // The shim keeps what the task writes; the program would keep all of it once more.
        words.addAll(List.of("--log-driver=none", "--stop-timeout=0"));
        labels().forEach((name, value) -> words.add("--label=" + name + "=" + value));
        words.addAll(limits());
        words.addAll(devices());
        words.addAll(folders());
        words.addAll(who());
        words.add("--env-file=" + variableFile);
        all().forEach(
                        (name, value) -> {
                            if (!fitsInFile(value)) words.add("--env=" + name);
                        });
        var details = spec.container().details();
        if (details.stdin()) words.add("--interactive");
        words.add("--pull=" + pull(details.pullPolicy()));
        if (!details.ownEntryPoint()) words.add("--entrypoint=");
        words.add(spec.container().image().orElseThrow());
        words.addAll(role().command());
        return words;
    }

    private Role role() {
        return spec.role(task.role());
    }

    private String name() {
        String own = attempt.job() + "-" + attempt.number() + "-" + AttemptFiles.name(task);
        String name =
                isPai()
                        ? variables.get("PAI_USER_NAME")
                                + "-"
                                + variables.get("PAI_JOB_NAME")
                                + "-"
                                + variables.get(PAI_ID)
                        : "fairlead-" + own;
        return name.replaceAll("[^A-Za-z0-9_.-]", "-").replaceFirst("^[^A-Za-z0-9]", "x");
    }

    private boolean isPai() {
        return variables.containsKey(PAI_ID) && variables.keySet().containsAll(PAI_LABELS);
    }

    private Map<String, String> labels() {
        var labels = new LinkedHashMap<String, String>();
        labels.put("fairlead.job", attempt.job().text());
        labels.put("fairlead.attempt", Integer.toString(attempt.number()));
        labels.put("fairlead.task", task.toString());
        labels.put(MARK_LABEL, mark);
        if (!isPai()) return labels;
        labels.put("GPU_ID", joined(gpus));
        labels.put("PAI_HOSTNAME", host);
        for (String name : PAI_LABELS) labels.put(name, variables.get(name));
        return labels;
    }

    private List<String> limits() {
        var words = new ArrayList<String>();
        var resources = role().resources();
        var details = spec.container().details();
        if (resources.cpus() > 0) words.add("--cpus=" + resources.cpus());
        if (resources.memoryBytes() > 0) words.add("--memory=" + resources.memoryBytes() + "b");
        if (details.hostIpc()) words.add("--ipc=host");
        else if (details.shmBytes() > 0) words.add("--shm-size=" + details.shmBytes() + "b");
        return words;
    }

    private List<String> devices() {
        if (gpus.isEmpty()) return List.of();
        // The quotes are a part of the word: without them docker takes the comma for its own.
        if (!program.isPodman()) return List.of("--gpus=\"device=" + joined(gpus) + "\"");
        return gpus.stream().map(gpu -> "--device=nvidia.com/gpu=" + gpu).toList();
    }

    private List<String> folders() {
        var words = new ArrayList<String>();
        for (Container.Mount mount : spec.container().mounts())
            words.add(
                    "--mount=type=bind,source=%s,target=%s%s"
                            .formatted(
                                    folder(mount),
                                    mount.target(),
                                    mount.readOnly() ? ",readonly" : ""));
        String folder = spec.workingFolder();
        if (mountsFolder) words.add("--mount=type=bind,source=" + folder + ",target=" + folder);
        if (!folder.isEmpty()) words.add("--workdir=" + folder);
        return words;
    }

    private List<String> who() {
        if (account.isPresent()) {
            String user = account.get().uid() + ":" + account.get().gid();
            // Programs of the image that make their caller root must not do it on this machine.
            return List.of("--user=" + user, "--security-opt=no-new-privileges");
        }
        var runAs = spec.container().details().runAs();
        if (runAs.isEmpty()) return List.of();
        var group = runAs.get().group();
        return List.of(
                "--user="
                        + runAs.get().user()
                        + (group.isPresent() ? ":" + group.getAsLong() : ""));
    }

    private static String pull(Optional<Container.PullPolicy> policy) {
        return switch (policy.orElse(Container.PullPolicy.IF_NOT_PRESENT)) {
            case ALWAYS -> "always";
            case IF_NOT_PRESENT -> "missing";
            case NEVER -> "never";
        };
    }

    /** Inside, the GPUs of the task are all that there are, and count from zero. */
    private Map<String, String> all() {
        var all = new LinkedHashMap<>(spec.environment());
        all.putAll(variables);
        all.put(Processes.MARK, mark);
        if (!gpus.isEmpty())
            all.put(
                    "CUDA_VISIBLE_DEVICES",
                    joined(IntStream.range(0, gpus.size()).boxed().toList()));
        return all;
    }

    /** The lines of the file of variables. */
    public String fileText() {
        return all().entrySet().stream()
                .filter(entry -> fitsInFile(entry.getValue()))
                .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** The variables that the program takes over from its own. */
    public Map<String, String> beside() {
        var beside = new LinkedHashMap<>(all());
        beside.values().removeIf(ContainerRun::fitsInFile);
        return beside;
    }

    /** Some versions of podman take quotes around a value for their own. */
    private static boolean fitsInFile(String value) {
        return !value.contains("\n")
                && !value.contains("\r")
                && !value.matches("(?s)['\"`].*")
                && value.getBytes(UTF_8).length <= LINE_BYTES_MAX;
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
