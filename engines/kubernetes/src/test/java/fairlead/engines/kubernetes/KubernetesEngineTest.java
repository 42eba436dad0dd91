package fairlead.engines.kubernetes;

import fairlead.engine.Engine;
import fairlead.engine.EngineContract;
import fairlead.engine.EngineException;
import fairlead.engine.TaskLog;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.JobSpec;
import fairlead.testing.Eventually;
import fairlead.testing.Root;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The contract on pods. */
@Tag("cluster")
class KubernetesEngineTest extends EngineContract {
    /** Short: some tests wait until it is over. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(2);

    private static final String SHARED = "/shared";

    @TempDir static Path clusterFolder;
    private static TestCluster cluster;

    @TempDir Path home;
    @TempDir Path folder;

    @BeforeAll
    static void openCluster() throws Exception {
        cluster = TestCluster.open(clusterFolder, TestNode.withGpus("node-a", 2));
        // Containers see nothing of their node, so on a real one the tests share a folder of it.
        if (hasRealNodes()) Pods.makeFolder(cluster, folderOnNode());
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    @Override
    protected Engine open() throws EngineException {
        return KubernetesEngine.open(Pods.settings(cluster, home, START_PATIENCE));
    }

    private static boolean hasRealNodes() {
        return cluster.kubelet().isEmpty();
    }

    private static String folderOnNode() {
        return "/tmp/" + cluster.namespacePattern().replace("-{project}", "");
    }

    @Override
    protected String workingFolder() {
        return hasRealNodes() ? SHARED : folder.toString();
    }

    @Override
    protected String folderToMount() {
        return hasRealNodes() ? folderOnNode() : workingFolder();
    }

    @Override
    protected void assumeMounts(JobSpec spec) {
        if (!hasRealNodes()) Root.neededToMount();
        super.assumeMounts(spec);
    }

    @Override
    protected Container container() {
        return hasRealNodes()
                ? new Container(
                        Optional.empty(),
                        List.of(new Container.Mount(folderOnNode(), SHARED, false)),
                        List.of())
                : Container.NONE;
    }

    @Override
    protected void awaitWritten(AttemptId attempt, TaskLog log, long bytes) throws Exception {
        Eventually.when(
                attempt + " has ended",
                () -> Pods.of(cluster, attempt).stream().allMatch(Capacity::isEnded));
    }
}
