package fairlead.dialects.act.config;

import fairlead.dialects.yaml.Problem;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One cluster as a laptop knows it: where its jobs run, and where their code and data are.
 *
 * @param name what {@code -c} calls it
 * @param file the file that was read, absolute
 * @param origin whose rules the file follows
 * @param target the cluster of a Fairlead server; empty means Azure ML or Philly
 * @param code the archive of the code
 * @param folders what is visible in the code's folder under such a name, in the order of the file
 * @param processesPerNode instead of one for each GPU
 * @param experiment the name of its jobs
 * @param image the container image; empty for none
 * @param zipOptions instead of the usual ones; as written in the file
 * @param compileArgs for the compile script on the node
 * @param sleepIfFail keeps the node after a failure, so that somebody can look
 * @param retries how often a job that failed is tried again
 * @param azure what only Azure ML needs
 * @param warnings what its author should know, although it can be used
 */
public record ClusterConfig(
        String name,
        Path file,
        Origin origin,
        Optional<Target> target,
        Mapped code,
        Map<String, Mapped> folders,
        int gpusPerNode,
        boolean multiProcess,
        OptionalInt processesPerNode,
        String experiment,
        Map<String, String> env,
        Optional<String> image,
        Optional<List<String>> zipOptions,
        String compileArgs,
        boolean sleepIfFail,
        boolean sleepIfSucceed,
        int retries,
        AzureMl azure,
        List<Problem> warnings) {
    /** The key of the file that says {@link #retries}. */
    public static final String RETRIES = "retries";

    /** As many as a job may have. */
    public static final int RETRIES_MAX = 1_000;

    /** Which of the two tools a file was written for. */
    public enum Origin {
        ACT,
        PHILLY
    }

    public ClusterConfig {
        folders = Collections.unmodifiableMap(new LinkedHashMap<>(folders));
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
        zipOptions = zipOptions.map(List::copyOf);
        warnings = List.copyOf(warnings);
        if (gpusPerNode < 1) throw new IllegalArgumentException("gpusPerNode: " + gpusPerNode);
    }

    /** The same on a cluster of the server, which stands for its compute of Azure ML. */
    public ClusterConfig at(Target cluster) {
        return with(Optional.of(cluster), sleepIfFail, sleepIfSucceed);
    }

    /** The same for a job whose nodes stay until it is aborted, however its command ends. */
    public ClusterConfig sleeping() {
        return with(target, true, true);
    }

    private ClusterConfig with(
            Optional<Target> target, boolean sleepIfFail, boolean sleepIfSucceed) {
        return new ClusterConfig(
                name,
                file,
                origin,
                target,
                code,
                folders,
                gpusPerNode,
                multiProcess,
                processesPerNode,
                experiment,
                env,
                image,
                zipOptions,
                compileArgs,
                sleepIfFail,
                sleepIfSucceed,
                retries,
                azure,
                warnings);
    }
}
