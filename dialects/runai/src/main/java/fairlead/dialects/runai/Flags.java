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
            Flag.valued("--gpu-memory", null, "SIZE", "so much of one GPU's memory, such as 8G");
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
                    "a folder by the name of a claim, see 'runai config pvc'");
    static final Flag PORT =
            Flag.valued("--port", null, "NODE:CONTAINER", "a port; may be repeated");
    static final Flag SERVICE_TYPE =
            Flag.valued("--service-type", "-s", "TYPE", "nodeport: the port is the machine's own");
    static final Flag WORKING_DIR =
            Flag.valued("--working-dir", null, "DIR", "where it runs; here, if not said");
    static final Flag INTERACTIVE =
            Flag.flag("--interactive", "never preempted, inside the project's quota");
    static final Flag PREEMPTIBLE =
            Flag.flag("--preemptible", "as every job is that is not --interactive");
    static final Flag BACKOFF_LIMIT =
            Flag.valued("--backoff-limit", null, "N", "how often it is tried again; 6");
    static final Flag PARALLELISM = Flag.valued("--parallelism", null, "N", "only 1");
    static final Flag COMPLETIONS = Flag.valued("--completions", null, "N", "only 1");
    static final Flag STDIN =
            Flag.refused(
                    "--stdin", null, null, "a job has no input; give it a command that needs none");
    static final Flag TTY =
            Flag.refused(
                    "--tty",
                    "-t",
                    null,
                    "a job has no terminal; give it a command that needs none");
    static final Flag COMMAND = Flag.flag("--command", "what follows '--' is the command");

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
                    Flag.ignored("--large-shm", null, "a job has the machine's own /dev/shm"),
                    Flag.ignored("--host-ipc", null, "a job without a container has it anyway"),
                    Flag.ignored("--host-network", null, "a job without a container has it anyway"),
                    Flag.ignored("--image-pull-policy", "POLICY", "no image is pulled"),
                    Flag.ignored("--run-as-user", null, "a job runs as the server's account"),
                    Flag.ignored("--create-home-dir", null, "a job has the account's own home"),
                    Flag.ignored(
                            "--ttl-after-finish",
                            "TIME",
                            "a job stays until 'runai delete' ends it"),
                    Flag.ignored("--elastic", null, "a job gets all GPUs that it asks for"),
                    STDIN,
                    TTY,
                    Flag.refused("--attach", null, null, "'runai logs -f NAME' follows the job"),
                    Flag.refused(
                            "--jupyter",
                            null,
                            null,
                            "nothing serves it; say --interactive --port 8888:8888 --command --"
                                    + " jupyter lab --ip=0.0.0.0 --port=8888"),
                    Flag.refused(
                            "--inference",
                            null,
                            null,
                            "leave it out; a job that serves is --interactive with --port"),
                    Flag.refused(
                            "--node-type",
                            null,
                            "TYPE",
                            "'fairlead submit --gpu-type a100' chooses among GPUs"),
                    Flag.refused(
                            "--git-sync", null, "SOURCE", "begin the command with 'git clone'"),
                    Flag.refused(
                            "--template",
                            null,
                            "NAME",
                            "there are none; say its flags themselves"));

    private Flags() {}
}
