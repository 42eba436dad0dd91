package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import io.fabric8.kubernetes.api.model.TaintBuilder;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** What things are called, and what is written down of them. */
class NamesTest {
    private static final JobId JOB = new JobId("My.Run_1700000000_0000002a");

    @Test
    void namesAreDnsLabelsWhateverTheExperimentIsCalled() {
        assertEquals("my-run", Names.dns("My_Run--"));
        assertEquals("", Names.dns("___"));
        assertEquals("fairlead-1700000000-0000002a-3", Names.shared(new AttemptId(JOB, 3)));
        assertEquals("fairlead-1700000000-0000002a-claim-1", Names.claim(JOB, 1));
        assertEquals("0000002a", Names.hex(JOB));
    }

    @Test
    void podsOfAllAttemptsAndRanksHaveNamesOfTheirOwn() {
        var spec = PodCase.spec("true");
        var names = new HashSet<String>();
        for (int attempt = 1; attempt <= 20; attempt++) {
            for (int rank = 0; rank < 20; rank++) {
                String name = Names.pod(new AttemptId(JOB, attempt), spec, rank);
                assertTrue(name.matches("[a-z]([a-z0-9-]{0,61}[a-z0-9])?"), name);
                assertTrue(names.add(name), name);
            }
        }
        assertTrue(names.contains("train-0000002a"));
        assertTrue(names.contains("train-0000002a-a2-1"));
    }

    @Test
    void reservationsOfNodesWithLongNamesAreKeptApart() {
        String node = "n".repeat(100);
        String one = Names.reservation("s", node + "1", 0);
        assertTrue(one.length() <= Names.LABEL_MAX, one);
        assertTrue(!one.equals(Names.reservation("s", node + "2", 0)));
        assertTrue(!one.equals(Names.reservation("s", node + "1", 1)));
    }

    @Test
    void labelsCarryOwnersAndPriorities() {
        assertEquals("ann-example.org", Names.label("ann@example.org"));
        assertEquals("x", Names.label("-x-"));
        assertEquals("0-3", Names.priority(-3));
        assertEquals(-3, Names.priority("0-3"));
        assertEquals(7, Names.priority("7"));
        assertEquals(0, Names.priority("high"));
        assertEquals(0, Names.priority(""));
    }

    @Test
    void aProjectWhoseNamespaceWouldBeNoneIsRefusedWithTheName() {
        assertEquals(Optional.empty(), Names.namespaceProblem("fairlead-{project}", "Lab_A"));
        String problem = Names.namespaceProblem("{project}", "___").orElseThrow();
        assertTrue(problem.contains("___"), problem);
    }

    @Test
    void whatWasOrderedIsReadAsItWasWritten() {
        var record =
                new AttemptRecord(
                        new AttemptId(JOB, 2),
                        "fairlead-default",
                        true,
                        List.of(
                                new AttemptRecord.Task(
                                        new TaskId("ps", 0), "a", "n1", List.of(), false),
                                new AttemptRecord.Task(
                                        new TaskId("worker", 0), "b", "n2", List.of(0, 3), true)));
        assertEquals(record, AttemptRecord.parse(record.text()));
    }

    @Test
    void taintsAreToleratedByKeyValueAndEffect() {
        var some = List.of(Placing.toleration("lab=vision:NoSchedule"));
        var any = List.of(Placing.toleration("lab:NoSchedule"));
        var vision =
                List.of(
                        new TaintBuilder()
                                .withKey("lab")
                                .withValue("vision")
                                .withEffect("NoSchedule")
                                .build());
        var other =
                List.of(
                        new TaintBuilder()
                                .withKey("lab")
                                .withValue("nlp")
                                .withEffect("NoSchedule")
                                .build());
        assertTrue(Placing.tolerates(some, vision) && Placing.tolerates(any, vision));
        assertTrue(!Placing.tolerates(some, other) && Placing.tolerates(any, other));
        assertTrue(!Placing.tolerates(List.of(), vision));
        assertThrows(IllegalArgumentException.class, () -> Placing.toleration("lab:Sometimes"));
    }
}
