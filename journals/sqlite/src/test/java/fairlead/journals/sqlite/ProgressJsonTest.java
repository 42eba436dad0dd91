package fairlead.journals.sqlite;

import static fairlead.journal.JournalFixtures.NOON;
import static fairlead.journal.JournalFixtures.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.api.json.BadBody;
import fairlead.job.Job;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Setbacks;
import fairlead.job.Setup;
import fairlead.journal.JournalFixtures.Life;
import fairlead.wire.parts.TrainingParts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How far a training has come and what preemptions cost it, as they are kept. */
final class ProgressJsonTest {
    private static final Progress PROGRESS =
            new Progress(
                    2,
                    7,
                    0.25,
                    Optional.of(NOON),
                    new Profile(
                            Map.of(
                                    new Setup(1, 2, Setup.ALONE),
                                    new Profile.Speed(60.5, 0.5, 3),
                                    new Setup(2, 4, "other"),
                                    new Profile.Speed(30, 0, 1)),
                            4_096));

    private static final Setbacks SETBACKS =
            new Setbacks(
                    Duration.ofMinutes(9),
                    List.of(
                            new Setbacks.Receipt(
                                    NOON, job(1).id(), "for a quota", Duration.ofMinutes(5)),
                            new Setbacks.Receipt(
                                    NOON.plusSeconds(60),
                                    job(2).id(),
                                    "for another",
                                    Duration.ofMinutes(4))));

    @Test
    void progressIsKeptWhole() {
        String text = TrainingParts.PROGRESS.text(PROGRESS);
        assertEquals(
                "{\"attempt\":2,\"epochsDone\":7,\"fraction\":0.25,\"safe\":\""
                        + NOON
                        + "\",\"memoryBytes\":4096,\"speeds\":["
                        + "{\"tasks\":1,\"gpus\":2,\"epochSeconds\":60.5,\"stepSeconds\":0.5,"
                        + "\"epochs\":3},"
                        + "{\"tasks\":2,\"gpus\":4,\"beside\":\"other\",\"epochSeconds\":30.0,"
                        + "\"stepSeconds\":0.0,\"epochs\":1}]}",
                text);
        assertEquals(PROGRESS, TrainingParts.PROGRESS.read(text));
    }

    @Test
    void whatIsNotKnownYetIsLeftOut() {
        var first = new Progress(1, 0, 0, Optional.empty(), Profile.NONE);
        String text = TrainingParts.PROGRESS.text(first);
        assertEquals("{\"attempt\":1,\"epochsDone\":0,\"memoryBytes\":0,\"speeds\":[]}", text);
        assertEquals(first, TrainingParts.PROGRESS.read(text));
    }

    @Test
    void setbacksAreKeptWhole() {
        String text = TrainingParts.SETBACKS.text(SETBACKS);
        assertEquals(
                "{\"lost\":\"PT9M\",\"last\":["
                        + "{\"at\":\"%s\",\"beneficiary\":\"%s\",\"why\":\"for a quota\",\"lost\":\"PT5M\"},"
                                .formatted(NOON, job(1).id())
                        + "{\"at\":\"%s\",\"beneficiary\":\"%s\",\"why\":\"for another\",\"lost\":\"PT4M\"}]}"
                                .formatted(NOON.plusSeconds(60), job(2).id()),
                text);
        assertEquals(SETBACKS, TrainingParts.SETBACKS.read(text));
    }

    @Test
    void textBehindTheEndIsDamage() {
        String progress = TrainingParts.PROGRESS.text(PROGRESS) + "}";
        assertThrows(BadBody.class, () -> TrainingParts.PROGRESS.read(progress));
        String setbacks = TrainingParts.SETBACKS.text(SETBACKS) + "]";
        assertThrows(BadBody.class, () -> TrainingParts.SETBACKS.read(setbacks));
    }

    @Test
    void bothComeBackWithTheirJob(@TempDir Path folder) throws Exception {
        Life life = Life.of(job(1));
        Job plain = life.job();
        var trained =
                new Job(
                        plain.id(),
                        plain.spec(),
                        plain.owner(),
                        plain.submitted(),
                        plain.request(),
                        plain.array(),
                        plain.priority(),
                        plain.state(),
                        plain.attempts(),
                        plain.failures(),
                        plain.losses(),
                        plain.started(),
                        plain.prediction(),
                        plain.served(),
                        SETBACKS,
                        PROGRESS,
                        plain.tries());
        Path file = folder.resolve("journal.db");
        try (var journal = SqliteJournal.open(file)) {
            journal.commit(life.facts(), List.of(trained));
        }
        try (var journal = SqliteJournal.open(file)) {
            assertEquals(List.of(trained), journal.unfinished());
        }
    }
}
