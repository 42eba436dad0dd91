package fairlead.engines.azureml;

import fairlead.engine.MoreVariables;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which compute of which workspace, and how its jobs are made.
 *
 * @param home where logs and what was ordered are kept; made when it is missing
 * @param cluster its name here, for messages
 * @param management where Azure's management interface is
 * @param compute the name of a compute cluster of the workspace
 * @param image of jobs that name none; empty: they are refused
 * @param gpusPerNode empty: what Azure says of the size of the compute's machines
 * @param distribution how the tasks of a gang are started
 * @param queued so many of our jobs may wait in Azure's own queue before no more are sent
 * @param pace how often Azure is asked
 * @param logBytesMax how much of a task's log is kept
 * @param more that tasks find beside the usual variables
 */
public record AzureMlSettings(
        Path home,
        String cluster,
        URI management,
        String subscription,
        String resourceGroup,
        String workspace,
        String compute,
        Optional<String> image,
        OptionalInt gpusPerNode,
        Distribution distribution,
        int queued,
        Pace pace,
        long logBytesMax,
        MoreVariables more) {
    /** Enough that a machine that becomes free is taken at once, few enough to stay fair. */
    public static final int QUEUED = 2;

    /** Azure's words for what starts the processes of a job. */
    public enum Distribution {
        /** Needs nothing of the image, and says where the first task is. */
        PYTORCH("PyTorch"),
        /** As ACT: needs Open MPI in the image. */
        MPI("Mpi");

        final String word;

        Distribution(String word) {
            this.word = word;
        }
    }

    /**
     * How often Azure is asked: soon after something has changed, then less and less.
     *
     * @param first the pause after a change
     * @param most the longest pause between two looks at the jobs
     * @param compute the shortest between two looks at the compute
     * @param read the pause between two reads of a log that somebody follows
     * @param call the shortest pause for each call of a look: Azure counts 12,000 reads an hour for
     *     a whole subscription
     */
    public record Pace(
            Duration first, Duration most, Duration compute, Duration read, Duration call) {
        public static final Pace USUAL =
                new Pace(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(3),
                        Duration.ofMillis(600));
    }

    /** The workspace's path in Azure's interfaces. */
    String path() {
        return "/subscriptions/%s/resourceGroups/%s/providers/Microsoft.MachineLearningServices/workspaces/%s"
                .formatted(subscription, resourceGroup, workspace);
    }
}
