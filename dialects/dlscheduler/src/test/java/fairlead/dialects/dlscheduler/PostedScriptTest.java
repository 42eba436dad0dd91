package fairlead.dialects.dlscheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ScriptRequest;
import fairlead.api.spec.SpecBody;
import fairlead.api.spec.TrainingBody;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the body of {@code POST /submit} means. */
class PostedScriptTest {
    /** The example of the scheduler's first guide. */
    private static final ScriptRequest EXAMPLE =
            new ScriptRequest(
                    "test image 1",
                    "myimage:version",
                    "/home/works/test.py",
                    "/users/test_library/",
                    128,
                    45_000L,
                    3,
                    false,
                    true,
                    1_100L,
                    "user");

    private static ScriptRequest least(String name, String script, String folder, Integer epochs) {
        return new ScriptRequest(
                name, null, script, folder, null, null, epochs, null, null, null, null);
    }

    @Test
    void theExampleOfTheGuideReachesTheSpec() throws Misuse {
        SpecBody spec =
                PostedScript.spec(EXAMPLE, Optional.of(Path.of("/home/user/datasets")), true);
        assertEquals("test-image-1", spec.name());
        assertEquals("myimage:version", spec.image());
        assertEquals(List.of("python", "/home/works/test.py"), ErrorLog.told(spec.command()));
        assertEquals("/home/works/test.py", JobOptions.of(spec, "").get("script_path"));
        assertEquals(
                List.of("/users/test_library/:/exp", "/home/user/datasets:/dataset"),
                spec.mounts());
        assertNull(spec.workdir(), "the image's own");
        assertEquals(
                TrainingBody.of(
                        training -> {
                            training.epochs = 3;
                            training.batchSize = 128;
                            training.trainingSetSize = 45_000L;
                            training.gpusMin = 1;
                            training.gpusMax = 4_096;
                            training.sharing = false;
                            training.estimatedMemory = "1100M";
                        }),
                spec.training());
    }

    @Test
    void d11SharingIsOffUnlessItIsAskedFor() throws Misuse {
        SpecBody spec = PostedScript.spec(least("a", "/b.py", null, 1), Optional.empty(), false);
        assertEquals(false, spec.training().sharing());
        assertEquals(List.of("python", "/b.py"), spec.command());
        assertNull(spec.mounts());
        SpecBody there = PostedScript.spec(least("a", "b.py", "/c", 1), Optional.empty(), false);
        assertEquals("/exp", there.workdir());
    }

    @Test
    void whatIsMissingOrCannotBeIsTold() {
        for (ScriptRequest bad :
                List.of(
                        least(null, "/b.py", null, 1),
                        least("a", " ", null, 1),
                        least("a", "/b.py", "c", 1),
                        least("a", "/b.py", "/c:/d", 1),
                        least("a", "/b.py", null, null))) {
            var misuse =
                    assertThrows(
                            Misuse.class, () -> PostedScript.spec(bad, Optional.empty(), false));
            assertTrue(misuse.getMessage().matches("\\w+ (is missing|must be) ?.*"));
        }
    }
}
