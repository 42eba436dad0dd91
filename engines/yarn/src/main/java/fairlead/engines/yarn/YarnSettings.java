package fairlead.engines.yarn;

import fairlead.engine.MoreVariables;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach a YARN cluster, and how its applications are made.
 *
 * @param home where logs and what was ordered are kept; made when it is missing
 * @param cluster its name here, for messages
 * @param conf the folder with core-site.xml, hdfs-site.xml and yarn-site.xml
 * @param queue of a project's applications, with {@code {project}} in it
 * @param staging a folder of the cluster's file system; empty: {@code .fairlead} in the account's
 *     home
 * @param java the program on every node; empty: that of JAVA_HOME there
 * @param docker whether the nodes run images by YARN's Docker runtime
 * @param taskMemoryBytes of tasks that ask for none: YARN limits every container
 * @param startPatience how long an attempt may wait for its containers before it ends
 * @param linger how long a master waits for a server that is away, when all has ended
 * @param poll between two looks at the resource manager
 * @param code folders in here are brought to the tasks that begin in them; empty: none are
 * @param logBytesMax how much of a task's log is kept
 * @param more that tasks find beside the usual variables
 */
public record YarnSettings(
        Path home,
        String cluster,
        Path conf,
        String queue,
        Optional<String> staging,
        Optional<String> java,
        boolean docker,
        long taskMemoryBytes,
        Duration startPatience,
        Duration linger,
        Duration poll,
        Optional<Path> code,
        long logBytesMax,
        MoreVariables more) {
    public static final String QUEUE = "default";
    public static final long TASK_MEMORY_BYTES = 2L << 30;
    public static final Duration START_PATIENCE = Duration.ofMinutes(5);
    public static final Duration LINGER = Duration.ofMinutes(10);
    public static final Duration POLL = Duration.ofSeconds(1);
}
