package fairlead.engines.kubernetes;

import fairlead.engine.Engine;
import fairlead.engine.EngineContract;
import fairlead.engine.EngineException;
import fairlead.engine.TaskLog;
import fairlead.job.AttemptId;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

/** The contract on pods. */
class KubernetesEngineTest extends EngineContract {
    /** Short: some tests wait until it is over. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(2);

    @TempDir static Path clusterFolder;
    private static TestCluster cluster;

    @TempDir Path home;
    @TempDir Path folder;

    @BeforeAll
    static void openCluster() throws Exception {
        cluster = TestCluster.open(clusterFolder, TestNode.withGpus("node-a", 2));
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    @Override
    protected Engine open() throws EngineException {
        return KubernetesEngine.open(Pods.settings(cluster, home, START_PATIENCE));
    }

    @Override
    protected String workingFolder() {
        return folder.toString();
    }

    @Override
    protected void awaitWritten(AttemptId attempt, TaskLog log, long bytes) throws Exception {
        await(
                attempt + " has ended",
                () -> Pods.of(cluster, attempt).stream().allMatch(Capacity::isEnded));
    }
}
