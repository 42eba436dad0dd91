package fairlead.engine.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.EngineException;
import fairlead.engine.Observation;
import fairlead.engine.Terms;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Endpoints;
import fairlead.job.Samples;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What engines whose tasks run elsewhere ask of their service, and when. */
class RemoteAttemptsTest {
    private static final Duration GRACE = Duration.ofSeconds(3);

    @TempDir private Path folder;
    private RemoteHome home;
    private RemoteAttempts<TestAttempt> attempts;
    private Effect.Launch launch;
    private AttemptId id;

    /** What the service was asked for. */
    private final List<String> asked = new ArrayList<>();

    /** What it fails with; null when it works. */
    private IOException failure;

    @BeforeEach
    void open() throws Exception {
        home = RemoteHome.open(folder);
        attempts =
                new RemoteAttempts<>(
                        "there", home, Terms.PLAIN, IOException::getMessage, new TestService());
        var job = Samples.job(1, "ann", Samples.spec(Samples.role("main", 1, 1)));
        launch = new Effect.Launch(job, Samples.attempt(job, "node"));
        id = launch.attempt();
    }

    @AfterEach
    void close() {
        home.close();
    }

    private static final class TestAttempt extends RemoteAttempt {
        boolean hasEnded;

        TestAttempt(AttemptId id, AttemptFiles files) throws IOException {
            super(id, files);
        }

        @Override
        public boolean allEnded() {
            return hasEnded;
        }

        @Override
        protected Observation present() {
            return new Observation(id, true, Map.of(), 0, Optional.empty(), Endpoints.NONE);
        }
    }

    private final class TestService implements RemoteAttempts.Service<TestAttempt> {
        @Override
        public void admit(Effect.Launch launch) throws IOException {
            home.keep(launch.attempt(), "ordered");
            attempts.add(new TestAttempt(launch.attempt(), home.files(launch.attempt())));
        }

        @Override
        public void launch(TestAttempt attempt, Effect.Launch launch) throws IOException {
            ask("launch");
            attempt.publish();
        }

        @Override
        public void stop(TestAttempt attempt) throws IOException {
            assertTrue(attempt.files.stopOrder().isPresent());
            ask("stop");
        }

        @Override
        public void forget(TestAttempt attempt) throws IOException {
            ask("forget");
        }

        private void ask(String word) throws IOException {
            if (failure != null) throw failure;
            asked.add(word);
        }
    }

    @Test
    void whatIsForgottenIsNeverLaunchedAgain() throws Exception {
        attempts.launch(launch);
        assertEquals(id, attempts.observations().getFirst().attempt());
        assertEquals(List.of("ordered"), home.live());
        assertTrue(attempts.forget(id).orElseThrow().isGone());
        assertEquals(List.of(), home.live());
        attempts.launch(launch);
        assertTrue(attempts.forget(id).isEmpty());
        assertEquals(List.of("launch", "forget"), asked);
    }

    @Test
    void aStopThatComesFirstMeansNever() throws Exception {
        attempts.stop(id, GRACE);
        attempts.launch(launch);
        assertEquals(List.of(), asked);
        assertEquals(List.of(), attempts.observations());
    }

    @Test
    void aRepeatedStopKeepsTheFirstOrder() throws Exception {
        attempts.launch(launch);
        attempts.stop(id, GRACE);
        attempts.stop(id, GRACE.multipliedBy(2));
        assertEquals(GRACE, home.files(id).stopOrder().orElseThrow().grace());
        attempts.find(id).orElseThrow().hasEnded = true;
        attempts.stop(id, GRACE);
        assertEquals(List.of("launch", "stop", "stop"), asked);
    }

    @Test
    void anAttemptThatTheServiceCannotForgetStays() throws Exception {
        attempts.launch(launch);
        failure = new IOException("not now");
        var problem = assertThrows(EngineException.class, () -> attempts.forget(id));
        assertEquals(id + ": not now", problem.getMessage());
        assertTrue(attempts.find(id).isPresent());
        assertFalse(home.files(id).isNever());
    }

    @Test
    void listenersHearOfEveryOrderThatWasDone() throws Exception {
        var heard = new ArrayList<String>();
        attempts.onChange(() -> heard.add("news"));
        attempts.launch(launch);
        attempts.stop(id, GRACE);
        attempts.forget(id);
        assertEquals(3, heard.size());
    }

    @Test
    void logsStayWhileTheirTasksRun() throws Exception {
        attempts.launch(launch);
        assertThrows(EngineException.class, () -> attempts.deleteLogs(id.job()));
        attempts.find(id).orElseThrow().hasEnded = true;
        attempts.deleteLogs(id.job());
    }

    @Test
    void aClosedEngineTakesNoOrders() throws Exception {
        attempts.launch(launch);
        assertTrue(attempts.close());
        assertFalse(attempts.close());
        assertThrows(EngineException.class, () -> attempts.launch(launch));
        assertThrows(EngineException.class, () -> attempts.stop(id, GRACE));
        assertThrows(EngineException.class, () -> attempts.forget(id));
        assertEquals(List.of("launch"), asked);
    }
}
