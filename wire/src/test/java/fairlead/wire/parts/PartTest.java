package fairlead.wire.parts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.api.json.BadBody;
import fairlead.job.JobId;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What journals and snapshots write in different words is the same part. */
class PartTest {
    private static final TaskPlacement TASK =
            new TaskPlacement(
                    new TaskId("main", 0), "n1", List.of(Share.whole(2), new Share(3, 500)));

    @Test
    void bothFormsOfAPlacementReadEachOther() {
        String kept = PlacementParts.TASK.text(TASK);
        String shown = PlacementParts.TASK_WITH_SHARES.text(TASK);
        assertEquals(
                "{\"task\":\"main/0\",\"node\":\"n1\",\"gpus\":[2],"
                        + "\"shares\":[{\"gpu\":3,\"units\":500}]}",
                kept);
        assertEquals(
                "{\"task\":\"main/0\",\"node\":\"n1\","
                        + "\"shares\":[{\"gpu\":2,\"units\":0},{\"gpu\":3,\"units\":500}]}",
                shown);
        for (String text : List.of(kept, shown)) {
            assertEquals(TASK, PlacementParts.TASK.read(text));
            assertEquals(TASK, PlacementParts.TASK_WITH_SHARES.read(text));
        }
    }

    @Test
    void aSnapshotKeepsItsOwnFormOfProgress() {
        var progress =
                new Progress(1, 2, 0.5, Optional.of(Instant.EPOCH), new Profile(Map.of(), 7));
        String text = TrainingParts.PROGRESS_WITH_PROFILE.text(progress);
        assertEquals(
                "{\"attempt\":1,\"epochsDone\":2,\"fraction\":0.5,"
                        + "\"safe\":\"1970-01-01T00:00:00Z\","
                        + "\"profile\":{\"memoryBytes\":7,\"speeds\":[]}}",
                text);
        assertEquals(progress, TrainingParts.PROGRESS_WITH_PROFILE.read(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'node':'n','gpus':[]} | the body has no task",
                "{'task':'main/0','node':'n','gpu':1} | gpu: is not a known field",
                "{'task':'main/0','node':'n','gpus':[1.5]} | gpus[0]: must be a whole number, but"
                        + " is 1.5",
                "{'task':'main/0','node':'n','gpus':[],'shares':[{'units':1}]} | shares[0]: has no"
                        + " gpu"
            })
    void whatIsWrongIsSaidByItsPath(String text, String message) {
        var bad =
                assertThrows(
                        BadBody.class, () -> PlacementParts.TASK.read(text.replace('\'', '"')));
        assertEquals(message, bad.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'exitCode':1} | the body has no kind",
                "{'kind':'draw'} | the body is an unknown verdict: draw",
                "{'kind':'lost','why':'?'} | why: is not a known field"
            })
    void aKindThatIsNotKnownIsRefused(String text, String message) {
        var bad =
                assertThrows(BadBody.class, () -> StateParts.VERDICT.read(text.replace('\'', '"')));
        assertEquals(message, bad.getMessage());
    }

    @Test
    void kindsMayHaveFieldsOfTheSameNameAndInAnyOrder() {
        var lost = new Verdict.Lost("gone");
        assertEquals("{\"kind\":\"lost\",\"reason\":\"gone\"}", StateParts.VERDICT.text(lost));
        assertEquals(lost, StateParts.VERDICT.read("{\"reason\":\"gone\",\"kind\":\"lost\"}"));
        assertEquals(
                new Verdict.Failed(0, "why"),
                StateParts.VERDICT.read("{\"reason\":\"why\",\"kind\":\"failed\"}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'state':'running','since':'%s'} | the state RUNNING has no attempt",
                "{'state':'finished','at':'%s'} | the state FINISHED has no outcome",
                "{'state':'stopping','since':'%s','attempt':{'number':1,'tasks':[{'task':'main/0',"
                        + "'node':'n'}]}} | the state STOPPING has no reason to stop"
            })
    void aStateThatLacksAFactIsRefused(String text, String message) {
        StateFacts facts = StateParts.STATE.read(text.replace('\'', '"').formatted(Instant.EPOCH));
        var job = new JobId("a_1_00000001");
        var bad = assertThrows(IllegalArgumentException.class, () -> facts.state(job));
        assertEquals(message, bad.getMessage());
    }
}
