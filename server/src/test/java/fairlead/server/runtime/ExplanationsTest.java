package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.Rules;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Predictions;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Samples;
import fairlead.journal.MemoryJournal;
import fairlead.policies.Policies;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

class ExplanationsTest {
    /** Otherwise each row of a long list would cost a forecast of its own while the queue moves. */
    @Test
    void aJobWithoutAForeseeableStartIsNotForecastAtEveryChange() throws Exception {
        var controller =
                new Controller(
                        new MemoryJournal(),
                        List.of(new Cluster("local", Policies.byName("fair"))),
                        Rules.NONE,
                        new SplittableRandom(1));
        var forecasts = new AtomicInteger();
        var explanations =
                new Explanations(
                        controller,
                        new Predictions(controller),
                        () -> {
                            forecasts.incrementAndGet();
                            return Samples.NOON;
                        });
        controller.tick(Samples.NOON, List.of(new Message.NodesSeen("local", List.of())));
        Job first = submit(controller);
        assertEquals(Optional.empty(), explanations.standing(first).orElseThrow().start());
        assertEquals(1, forecasts.get());
        Job second = submit(controller);
        explanations.standing(first);
        assertEquals(1, forecasts.get(), "what is known of it may be a little old");
        explanations.standing(second);
        assertEquals(2, forecasts.get(), "who has just come is looked at");
    }

    private static Job submit(Controller controller) throws Exception {
        var answer = new CompletableFuture<Message.Submitted>();
        controller.tick(
                Samples.NOON,
                List.of(
                        new Message.Submit(
                                "ann",
                                List.of(Samples.spec(Samples.role("main", 1, 1))),
                                Optional.empty(),
                                OptionalInt.empty(),
                                List.of(),
                                answer)));
        JobId id = answer.get().jobs().getFirst();
        return controller.unfinished(id).orElseThrow();
    }
}
