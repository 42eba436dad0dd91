package fairlead.dialects.runai;

import fairlead.api.JobBody;
import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.SpecBody;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A job in the words of Run:ai, however it was submitted. */
public final class JobWords {
    public static final String NOTHING = "-";

    /**
     * What the server answers for a job that has reached its time limit, as {@code timeout} does.
     */
    private static final int TIME_LIMIT_CODE = 124;

    private static final String TIME_LIMIT_REASON = "time limit reached";

    private JobWords() {}

    public static String status(JobBody job) {
        boolean late =
                job.exitCode() != null
                        && job.exitCode() == TIME_LIMIT_CODE
                        && TIME_LIMIT_REASON.equals(job.reason());
        return late ? "TimedOut" : status(job.state());
    }

    /** Of a job or of one of its pods. */
    public static String status(String state) {
        return switch (state) {
            case "queued" -> "Pending";
            case "starting" -> "ContainerCreating";
            case "running" -> "Running";
            case "stopping" -> "Terminating";
            case "succeeded" -> "Succeeded";
            case "failed" -> "Failed";
            // It is still there and can be resumed; what 'runai delete' has ended is gone.
            case "cancelled" -> "Suspended";
            default -> "Unknown";
        };
    }

    public static String type(JobBody job) {
        return job.interactive() ? "Interactive" : "Train";
    }

    /**
     * @param pattern of the cluster, with {@code {project}} in it; null where there are no
     *     namespaces: then as Run:ai would call it
     */
    public static String namespace(String pattern, String project) {
        String label =
                project.toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9-]", "-")
                        .replaceAll("^-+|-+$", "");
        return pattern == null ? "runai-" + project : pattern.replace("{project}", label);
    }

    /** The pod of a job's only task is {@code NAME-0-0}. */
    public static String pod(String job, int position) {
        return job + "-" + position + "-0";
    }

    /** The job that a pod belongs to, or the name itself where it is no pod's. */
    public static String jobOf(String pod) {
        return pod.replaceFirst("-\\d{1,5}-0$", "");
    }

    /** Several nodes are not named one by one. */
    public static String node(JobBody job) {
        if (job.nodes() == null || job.nodes().isEmpty()) return NOTHING;
        return job.nodes().size() == 1 ? job.nodes().getFirst() : "<multiple>";
    }

    /** {@code 1 (1)}: what it has, and what it asks for. */
    public static String gpus(JobBody job) {
        return allocated(job) + " (" + requested(job) + ")";
    }

    public static String requested(JobBody job) {
        String part = job.gpuPart();
        if (part == null) return String.valueOf(job.gpus());
        if (!part.matches("[0-9.]+")) return job.gpus() == 1 ? part : job.gpus() + "x" + part;
        return new BigDecimal(part)
                .multiply(BigDecimal.valueOf(job.gpus()))
                .stripTrailingZeros()
                .toPlainString();
    }

    public static String allocated(JobBody job) {
        return switch (job.state()) {
            case "starting", "running", "stopping" -> requested(job);
            case "queued" -> "0";
            default -> NOTHING;
        };
    }

    /** {@code 1 (0)}: pods that run, and pods that wait. */
    public static String pods(JobBody job) {
        return running(job) + " (" + pending(job) + ")";
    }

    public static int running(JobBody job) {
        return job.state().equals("running") || job.state().equals("stopping") ? job.tasks() : 0;
    }

    public static int pending(JobBody job) {
        return job.state().equals("queued") || job.state().equals("starting") ? job.tasks() : 0;
    }

    /**
     * Where its ports are reached; only while it runs. An image's ports are its own, unless a
     * service leads to them from ports of the machines that are known.
     *
     * @param spec null for those who may not see it
     * @param inImage whether its cluster runs jobs inside their images
     */
    public static String urls(JobBody job, SpecBody spec, boolean inImage) {
        boolean hasPorts = spec != null && spec.ports() != null;
        if (!hasPorts || !job.state().equals("running")) return "";
        ContainerBody around = spec.container();
        boolean isServed = around != null && "nodeport".equals(around.service());
        var urls = new ArrayList<String>();
        for (String node : job.nodes()) {
            for (String port : spec.ports()) {
                int outer = Integer.parseInt(port.split(":")[0]);
                boolean leadsThere = !inImage || isServed && Pod.isOfNodes(outer);
                if (leadsThere) urls.add("http://" + node + ":" + outer);
            }
        }
        return String.join(",", urls);
    }

    public static String image(SpecBody spec) {
        return spec == null || spec.image() == null ? NOTHING : spec.image();
    }

    /** The line that would submit such a job, without its variables: they may hold secrets. */
    public static String commandLine(SpecBody spec) {
        var line = new ArrayList<>(List.of("runai", "submit", spec.name(), "-p", spec.project()));
        if (spec.image() != null) line.addAll(List.of("-i", spec.image()));
        if (spec.gpu() != null) line.addAll(List.of("--gpu", spec.gpu()));
        if (spec.gpus() != null) line.addAll(List.of("--gpu", spec.gpus().toString()));
        if (spec.gpuMemory() != null) line.addAll(List.of("--gpu-memory", spec.gpuMemory()));
        if (spec.gpuType() != null) line.addAll(List.of("--node-type", spec.gpuType()));
        if (spec.cpus() != null && spec.cpus() > 0)
            line.addAll(List.of("--cpu", spec.cpus().toString()));
        if (spec.memory() != null && !spec.memory().equals("0"))
            line.addAll(List.of("--memory", spec.memory()));
        if (spec.image() != null && spec.workdir() != null && !spec.workdir().isEmpty())
            line.addAll(List.of("--working-dir", spec.workdir()));
        boolean isInteractive = Boolean.TRUE.equals(spec.interactive());
        if (isInteractive) line.add("--interactive");
        boolean isUsual =
                isInteractive
                        || spec.retries() == null
                        || spec.retries() == SubmitCommand.BACKOFF_DEFAULT;
        if (!isUsual) line.addAll(List.of("--backoff-limit", spec.retries().toString()));
        if (spec.mounts() != null) {
            for (String mount : spec.mounts()) addMount(line, mount);
        }
        if (spec.ports() != null) {
            for (String port : spec.ports()) line.addAll(List.of("--port", port));
        }
        boolean isEntryPoint = addContainer(line, spec.container());
        if (!isEntryPoint) line.add("--command");
        List<String> command = LabScript.written(command(spec));
        if (!command.isEmpty()) line.add("--");
        line.addAll(command);
        return String.join(" ", line.stream().map(JobWords::quoted).toList());
    }

    private static void addMount(List<String> line, String mount) {
        boolean isClaim = mount.matches("(new-)?claim:.*:.*");
        line.add(isClaim ? "--pvc" : "-v");
        line.add(isClaim ? mount.substring(mount.indexOf(':') + 1) : mount);
    }

    /** Answers whether the image's own program runs. */
    private static boolean addContainer(List<String> line, ContainerBody container) {
        if (container == null) return false;
        if (container.service() != null) line.addAll(List.of("-s", container.service()));
        if (container.shm() != null) line.add("--large-shm");
        if (container.runAs() != null) line.add("--run-as-user");
        // Without the flag it is Always.
        if (container.pullPolicy() != null && !container.pullPolicy().equals("always"))
            line.addAll(List.of("--image-pull-policy", pullPolicy(container.pullPolicy())));
        if (is(container.stdin())) line.add("--stdin");
        if (is(container.tty())) line.add("--tty");
        if (is(container.hostIpc())) line.add("--host-ipc");
        if (is(container.hostNetwork())) line.add("--host-network");
        return is(container.entrypoint());
    }

    private static String pullPolicy(String policy) {
        return policy.equals("never") ? "Never" : "IfNotPresent";
    }

    private static boolean is(Boolean said) {
        return Boolean.TRUE.equals(said);
    }

    private static List<String> command(SpecBody spec) {
        if (spec.command() != null) return spec.command();
        boolean hasRole = spec.roles() != null && !spec.roles().isEmpty();
        List<String> command = hasRole ? spec.roles().getFirst().command() : null;
        return command == null ? List.of() : command;
    }

    private static String quoted(String word) {
        boolean simple = word.matches("[\\w@%+=:,./{}-]+");
        return simple ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
