package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.control.Tick;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.journal.Fact;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

final class FactsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration AT_ONCE = Duration.ZERO;
    private final Facts facts = new Facts(4);

    private static JobId id(int number) {
        return JobId.of("job", NOW, number);
    }

    private static Tick submitted(int number) {
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        List.of("true"),
                        new Resources(0, 1, 0),
                        OptionalInt.of(1),
                        OptionalInt.empty());
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "job";
                            edit.cluster = "local";
                            edit.project = "default";
                            edit.roles = List.of(role);
                            edit.workingFolder = "/";
                        });
        Job job = Job.submitted(id(number), spec, "ann", NOW, Optional.empty(), Optional.empty());
        return new Tick(
                List.of(new Fact(job.id(), new Event.Submitted(NOW))),
                List.of(job),
                List.of(),
                Optional.empty());
    }

    @Test
    void aReaderGetsWhatIsPublishedAfterItBegan() throws Exception {
        facts.publish(submitted(1));
        try (var reader = facts.reader()) {
            facts.publish(submitted(2));
            var events = reader.await(AT_ONCE);
            assertEquals(1, events.size());
            assertEquals(id(2).text(), events.getFirst().job());
            assertEquals("queued", events.getFirst().state());
            assertTrue(reader.await(AT_ONCE).isEmpty());
        }
    }

    @Test
    void aReaderThatIsOvertakenIsToldHowMuchItMissed() throws Exception {
        try (var slow = facts.reader();
                var quick = facts.reader()) {
            for (int i = 0; i < 6; i++) {
                facts.publish(submitted(i));
                assertEquals(1, quick.await(AT_ONCE).size());
            }
            var told = assertThrows(Facts.FellBehind.class, () -> slow.await(AT_ONCE));
            assertTrue(told.getMessage().contains("2 events"), told.getMessage());
        }
    }

    @Test
    void aWatchIsTouchedByItsOwnJobOnly() throws Exception {
        try (var watch = facts.watch(id(1))) {
            facts.publish(submitted(2));
            assertFalse(watch.await(AT_ONCE));
            facts.publish(submitted(1));
            facts.publish(submitted(1));
            assertTrue(watch.await(AT_ONCE));
            assertFalse(watch.await(AT_ONCE), "two touches are one reason to look again");
        }
    }

    @Test
    void aCloseWakesEveryone() throws Exception {
        var watch = facts.watch(id(1));
        var reader = facts.reader();
        facts.close();
        assertTrue(watch.await(Duration.ofSeconds(10)));
        assertTrue(reader.await(Duration.ofSeconds(10)).isEmpty());
        assertTrue(facts.watch(id(2)).await(Duration.ofSeconds(10)));
    }
}
