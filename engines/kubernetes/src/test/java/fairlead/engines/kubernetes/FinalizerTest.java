package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The finalizer is taken from the pod that was meant, and no other finalizer is touched. */
class FinalizerTest {
    private static final String OTHERS = "example.com/other";

    @TempDir static Path folder;
    private static TestCluster mock;
    private PodTrial pods;
    private Cluster cluster;

    @BeforeAll
    static void open() throws Exception {
        mock = TestCluster.mock(folder, TestNode.withGpus("node-a", 0));
    }

    @AfterAll
    static void close() {
        mock.close();
    }

    /** A namespace for each test: pods with a finalizer stay. */
    @BeforeEach
    void enter(TestInfo test) {
        pods =
                new PodTrial(
                        mock,
                        test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT));
        cluster = new Cluster(mock.client(), "lab");
    }

    /** Not for any node, so that nobody else changes it. */
    private Pod created(String... finalizers) {
        pods.create(
                new PodBuilder(pods.command("p", "true"))
                        .editMetadata()
                        .withFinalizers(finalizers)
                        .endMetadata()
                        .editSpec()
                        .withSchedulerName("nobody")
                        .endSpec()
                        .build());
        return pods.pod("p").get();
    }

    @Test
    void oneIsTakenOutAmongOthers() throws Exception {
        cluster.removeFinalizer(created("example.com/first", Marks.FINALIZER, OTHERS));
        assertEquals(
                List.of("example.com/first", OTHERS),
                pods.pod("p").get().getMetadata().getFinalizers());
    }

    @Test
    void aListThatHasChangedMeanwhileIsLookedAtAgain() throws Exception {
        Pod old = created(OTHERS, Marks.FINALIZER);
        pods.pod("p")
                .edit(
                        pod ->
                                new PodBuilder(pod)
                                        .editMetadata()
                                        .withFinalizers(Marks.FINALIZER, OTHERS)
                                        .endMetadata()
                                        .build());
        cluster.removeFinalizer(old);
        assertEquals(List.of(OTHERS), pods.pod("p").get().getMetadata().getFinalizers());
    }

    @Test
    void anotherPodOfTheSameNameKeepsItsOwn() throws Exception {
        Pod gone = created();
        pods.pod("p").withGracePeriod(0).delete();
        Eventually.when("the name is free", () -> pods.pod("p").get() == null);
        created(Marks.FINALIZER);
        // As the pod looked before somebody else took its finalizer out and deleted it.
        Pod remembered =
                new PodBuilder(gone)
                        .editMetadata()
                        .withFinalizers(Marks.FINALIZER)
                        .endMetadata()
                        .build();
        cluster.removeFinalizer(remembered);
        assertEquals(List.of(Marks.FINALIZER), pods.pod("p").get().getMetadata().getFinalizers());
    }

    @Test
    void theSameForAPodWhoseFinalizerStoodElsewhere() throws Exception {
        Pod gone = created();
        pods.pod("p").withGracePeriod(0).delete();
        Eventually.when("the name is free", () -> pods.pod("p").get() == null);
        created(Marks.FINALIZER);
        Pod remembered =
                new PodBuilder(gone)
                        .editMetadata()
                        .withFinalizers(OTHERS, Marks.FINALIZER)
                        .endMetadata()
                        .build();
        cluster.removeFinalizer(remembered);
        assertEquals(List.of(Marks.FINALIZER), pods.pod("p").get().getMetadata().getFinalizers());
    }
}
