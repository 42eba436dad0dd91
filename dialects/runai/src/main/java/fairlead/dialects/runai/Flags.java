package fairlead.dialects.runai;

import java.util.List;

/** The flags of {@code runai submit}, in the order of help. */
public final class Flags {
    static final Flag NAME = Flag.valued("--name", null, "NAME", "the job's name; or say it first");
    static final Flag PREFIX =
            Flag.valued("--job-name-prefix", null, "P", "the name is P-N, with the first free N");
    public static final Flag PROJECT =
            Flag.valued("--project", "-p", "NAME", "instead of that of 'runai config project'");
    static final Flag IMAGE = Flag.valued("--image", "-i", "IMAGE", "the container image; needed");
    static final Flag GPU =
            Flag.valued("--gpu", "-g", "N", "whole GPUs, or a part of one such as 0.5; 0");
    static final Flag GPU_MEMORY =
            Flag.valued(
                    "--gpu-memory", null, "SIZE", "a part of one GPU, by its memory, such as 8G");
    static final Flag MIG =
            Flag.refused("--mig", null, "PROFILE", "use --gpu 0.5 or --gpu-memory 10G");
    static final Flag CPU = Flag.valued("--cpu", null, "N", "CPUs; a part counts as a whole one");
    static final Flag CPU_LIMIT =
            Flag.valued("--cpu-limit", null, "N", "as --cpu, where that is not said");
    static final Flag MEMORY = Flag.valued("--memory", null, "SIZE", "such as 512Mi or 8G");
    static final Flag MEMORY_LIMIT =
            Flag.valued("--memory-limit", null, "SIZE", "as --memory, where that is not said");
    static final Flag ENVIRONMENT =
            Flag.valued("--environment", "-e", "K=V", "a variable; may be repeated");
    static final Flag VOLUME =
            Flag.valued("--volume", "-v", "HOST:PATH[:ro]", "a folder; may be repeated");
    static final Flag PVC =
            Flag.valued(
                    "--pvc",
                    null,
                    "CLAIM:PATH[:ro]",
                    "a claim, or a new one as [CLASS]:SIZE:PATH; without containers a folder, see"
                            + " 'runai config pvc'");
    static final Flag PORT =
            Flag.valued("--port", null, "NODE:CONTAINER", "a port; may be repeated");
    static final Flag SERVICE_TYPE =
            Flag.valued("--service-type", "-s", "TYPE", "portforward, nodeport or loadbalancer");
    static final Flag WORKING_DIR =
            Flag.valued(
                    "--working-dir", null, "DIR", "where it runs; the image's own, or else here");
    static final Flag INTERACTIVE =
            Flag.flag("--interactive", "never preempted, inside the project's quota");
    static final Flag PREEMPTIBLE =
            Flag.flag("--preemptible", "as every job is that is not --interactive");
    static final Flag BACKOFF_LIMIT =
            Flag.valued("--backoff-limit", null, "N", "how often it is tried again; 6");
    static final Flag PARALLELISM = Flag.valued("--parallelism", null, "N", "only 1");
    static final Flag COMPLETIONS = Flag.valued("--completions", null, "N", "only 1");
    static final Flag STDIN = Flag.flag("--stdin", "let people attach and write to it");
    static final Flag TTY =
            Flag.valued("--tty", "-t", null, "that input is a terminal; needs --stdin")
                    .orIgnored("a job without a container has no terminal");
    static final Flag ATTACH = Flag.flag("--attach", "attach to it as soon as it runs");
    static final Flag JUPYTER =
            Flag.flag("--jupyter", "an interactive notebook on port 8888; needs no image");
    static final Flag LARGE_SHM =
            Flag.flag("--large-shm", "a /dev/shm of half the --memory, or of 8Gi")
                    .orIgnored("a job has the machine's own /dev/shm");
    static final Flag HOST_IPC =
            Flag.flag("--host-ipc", "shared memory with the machine")
                    .orIgnored("a job without a container has it anyway");
    static final Flag HOST_NETWORK =
            Flag.flag("--host-network", "the machine's own network")
                    .orIgnored("a job without a container has it anyway");
    static final Flag PULL_POLICY =
            Flag.valued(
                            "--image-pull-policy",
                            null,
                            "POLICY",
                            "Always, IfNotPresent or Never; Always")
                    .orIgnored("no image is pulled");
    static final Flag RUN_AS_USER =
            Flag.flag("--run-as-user", "with the numbers of this account and its group")
                    .orIgnored("a job runs as the server's account");
    static final Flag NODE_TYPE =
            Flag.valued("--node-type", null, "TYPE", "only GPUs of such a type")
                    .orRefused("'fairlead submit --gpu-type a100' chooses among GPUs");
    static final Flag COMMAND = Flag.flag("--command", "what follows '--' is the command");

    /** Of {@code submit-mpi} alone. */
    public static final Flag PROCESSES =
            Flag.valued("--processes", null, "N", "processes of MPI, each with --gpu GPUs; 1");

    /** Those of {@code submit}. */
    public static final List<Flag> ALL =
            List.of(
                    NAME,
                    PREFIX,
                    PROJECT,
                    IMAGE,
                    GPU,
                    GPU_MEMORY,
                    MIG,
                    CPU,
                    CPU_LIMIT,
                    MEMORY,
                    MEMORY_LIMIT,
                    ENVIRONMENT,
                    VOLUME,
                    PVC,
                    PORT,
                    SERVICE_TYPE,
                    WORKING_DIR,
                    INTERACTIVE,
                    PREEMPTIBLE,
                    BACKOFF_LIMIT,
                    PARALLELISM,
                    COMPLETIONS,
                    COMMAND,
                    JUPYTER,
                    LARGE_SHM,
                    HOST_IPC,
                    HOST_NETWORK,
                    PULL_POLICY,
                    RUN_AS_USER,
                    NODE_TYPE,
                    STDIN,
                    TTY,
                    ATTACH,
                    Flag.ignored("--create-home-dir", null, "a job has the home of its account"),
                    Flag.ignored(
                            "--ttl-after-finish",
                            "TIME",
                            "a job stays until 'runai delete' ends it"),
                    Flag.ignored("--elastic", null, "a job gets all GPUs that it asks for"),
                    Flag.refused(
                            "--inference",
                            null,
                            null,
                            "leave it out; a job that serves is --interactive with --port"),
                    Flag.refused(
                            "--git-sync", null, "SOURCE", "begin the command with 'git clone'"),
                    Flag.refused(
                            "--template",
                            null,
                            "NAME",
                            "there are none; say its flags themselves"));

    private Flags() {}
}
