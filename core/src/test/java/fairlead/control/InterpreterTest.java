package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.GpuUse;
import fairlead.engine.Observation;
import fairlead.engine.Sessions;
import fairlead.engine.TaskLog;
import fairlead.engine.Terms;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Samples;
import fairlead.job.TaskId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class InterpreterTest {
    private static final Duration GRACE = Duration.ofSeconds(7);
    private static final AttemptId FIRST = attempt(1);
    private static final Owed STOP = new Owed("local", new Effect.Stop(FIRST));
    private static final Owed FORGET = new Owed("local", new Effect.Forget(FIRST));

    private final List<Message> inbox = new ArrayList<>();
    private final RecordingEngine engine = new RecordingEngine();
    private final Interpreter interpreter =
            new Interpreter(Map.of("local", engine), GRACE, inbox::add);
    private Instant now = Samples.NOON;

    @Test
    void aFailedCallIsTriedAgainAfterAPauseThatDoublesUpToABound() {
        engine.failing = true;
        for (long pause : new long[] {200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000}) {
            assertDueAfter(pause);
        }
        assertDueAfter(30_000);
        assertDueAfter(30_000);
        assertEquals(Optional.of("no answer"), interpreter.trouble(FIRST));
        assertEquals(List.of(), inbox);
    }

    /** Tries now, and nothing before so many milliseconds have passed. */
    private void assertDueAfter(long pause) {
        assertEquals(List.of(STOP), interpreter.select(List.of(STOP), now));
        assertEquals(Optional.empty(), interpreter.nextTry(), "it is under way");
        interpreter.run(STOP, now);
        assertEquals(Optional.of(now.plusMillis(pause)), interpreter.nextTry());
        assertEquals(
                List.of(), interpreter.select(List.of(STOP), now.plusMillis(pause).minusNanos(1)));
        now = now.plusMillis(pause);
    }

    @Test
    void whatWasAcceptedStartsAgainWithTheShortestPause() {
        engine.failing = true;
        assertDueAfter(200);
        assertDueAfter(400);
        engine.failing = false;
        assertDueAfter(10_000);
        assertEquals(Optional.empty(), interpreter.trouble(FIRST));
        engine.failing = true;
        assertDueAfter(200);
    }

    @Test
    void whatWasAcceptedIsSaidAndCounted() {
        select(STOP);
        interpreter.run(STOP, now);
        assertEquals(1, interpreter.acknowledgements());
        select(FORGET);
        interpreter.run(FORGET, now);
        assertEquals(2, interpreter.acknowledgements());
        assertEquals(List.of("stop after 7 s", "forget"), engine.calls);
        assertEquals(
                List.of(
                        new Message.Acknowledged(STOP.effect(), 1),
                        new Message.Acknowledged(FORGET.effect(), 2)),
                inbox);
    }

    @Test
    void aLaunchReachesItsEngine() {
        Job job = Samples.job(1, "ann", Samples.spec(Samples.role("main", 1, 1)));
        var launch = new Owed("local", new Effect.Launch(job, Samples.attempt(job, "node")));
        select(launch);
        interpreter.run(launch, now);
        assertEquals(List.of("launch"), engine.calls);
    }

    @Test
    void anotherCallAboutTheSameAttemptWaitsForTheFirstAndForNoPause() {
        engine.failing = true;
        select(STOP);
        assertEquals(List.of(), interpreter.select(List.of(FORGET), now), "stop is under way");
        interpreter.run(STOP, now);
        assertEquals(List.of(FORGET), interpreter.select(List.of(FORGET), now));
        assertEquals(Optional.empty(), interpreter.trouble(FIRST), "that was another call's");
        interpreter.run(FORGET, now);
        assertEquals(Optional.of(now.plusMillis(200)), interpreter.nextTry());
    }

    @Test
    void whatIsOwedNoMoreIsForgotten() {
        engine.failing = true;
        select(STOP);
        interpreter.select(List.of(), now);
        interpreter.run(STOP, now);
        assertEquals(Optional.of("no answer"), interpreter.trouble(FIRST), "it was under way");
        var other = new Owed("local", new Effect.Stop(attempt(2)));
        select(other);
        assertEquals(Optional.empty(), interpreter.trouble(FIRST));
        assertEquals(Optional.empty(), interpreter.nextTry());
    }

    private void select(Owed owed) {
        assertEquals(List.of(owed), interpreter.select(List.of(owed), now));
    }

    private static AttemptId attempt(int number) {
        return new AttemptId(new JobId("sample_1_0000000" + number), 1);
    }

    /** Notes each call, and answers none of them while it is failing. */
    private static final class RecordingEngine implements Engine {
        final List<String> calls = new ArrayList<>();
        boolean failing;

        private void note(String call) throws EngineException {
            if (failing) throw new EngineException("no answer");
            calls.add(call);
        }

        @Override
        public void launch(Effect.Launch launch) throws EngineException {
            note("launch");
        }

        @Override
        public void stop(AttemptId attempt, Duration grace) throws EngineException {
            note("stop after " + grace.toSeconds() + " s");
        }

        @Override
        public void forget(AttemptId attempt) throws EngineException {
            note("forget");
        }

        @Override
        public List<Observation> observe() {
            return List.of();
        }

        @Override
        public List<Node> nodes() {
            return List.of();
        }

        @Override
        public TaskLog log(AttemptId attempt, TaskId task) throws EngineException {
            throw new EngineException("there are no logs");
        }

        @Override
        public void deleteLogs(JobId job) {}

        @Override
        public Terms terms() {
            return Terms.PLAIN;
        }

        @Override
        public Optional<Sessions> sessions() {
            return Optional.empty();
        }

        @Override
        public List<GpuUse> gpuUse() {
            return List.of();
        }

        @Override
        public List<Guest> guests() {
            return List.of();
        }

        @Override
        public void onChange(Runnable listener) {}

        @Override
        public void close() {}
    }
}
