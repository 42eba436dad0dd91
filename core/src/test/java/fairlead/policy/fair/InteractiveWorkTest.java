package fairlead.policy.fair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.policy.Obstacle;
import fairlead.policy.Scenario;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

class InteractiveWorkTest {
    /** Of lab's 4 GPUs ann's training holds 1, her notebook 1, and bob's training 2. */
    private static final List<String> LAB =
            List.of(
                    "node n gpus=8",
                    "project lab quota=4 interactive=2",
                    "project shut quota=1 interactive=0",
                    "active t1 ann gpus=1 project=lab on n 0",
                    "active i1 ann gpus=1 project=lab interactive on n 1",
                    "active t2 bob gpus=2 project=lab on n 2,3",
                    "active t3 ann gpus=1 project=other on n 4");

    private static final String FULL =
            "project lab holds %d of its 4 GPUs, and interactive jobs run only inside the quota: it"
                    + " starts once %s free there";

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource({
        "wait j ann gpus=9 project=lab, '', not refused",
        "wait j ann gpus=1 project=lab interactive, '', not refused",
        "wait j ann gpus=2 project=lab interactive, '', holds 4: 2 are",
        "wait j cyd gpus=1 project=lab interactive, '', holds 4: 1 is",
        "wait j bob gpus=2 project=lab interactive, '', not refused",
        "wait j cyd project=lab interactive, '', not refused",
        "wait j ann gpus=1 project=lab interactive, active s ann gpus=1 project=lab stopping on n"
                + " 5, holds 5: 1 is",
        "wait j ann project=lab interactive, active s cyd project=lab interactive on n, too many",
        "wait j ann gpus=5 project=lab interactive, '', too small",
        "wait j ann gpus=5 project=lab interactive, active s cyd project=lab interactive on n, too"
                + " small",
        "wait j ann gpus=1 project=other interactive, '', no quota",
        "wait j ann project=shut interactive, '', none allowed",
    })
    void r27r28WhatAProjectsRulesSayOfAJobThatAsks(String asks, String more, String expected) {
        var lines = new ArrayList<>(LAB);
        if (!more.isEmpty()) lines.add(more);
        lines.add(asks);
        var scenario = Scenario.parse(lines);
        var job = scenario.jobs().get(scenario.id("j"));
        String said =
                InteractiveWork.refusal(job.owner(), job.spec(), scenario.view())
                        .map(Obstacle::words)
                        .orElse("not refused");
        assertEquals(words(expected), said);
    }

    private static String words(String expected) {
        return switch (expected) {
            case "holds 4: 2 are" -> FULL.formatted(4, "2 are");
            case "holds 5: 1 is" -> FULL.formatted(5, "1 is");
            case "holds 4: 1 is" -> FULL.formatted(4, "1 is");
            case "too many" ->
                    "project lab has its 2 interactive jobs running: it starts once one of them has"
                            + " ended";
            case "too small" ->
                    "cannot start with 5 GPUs while the quota of project lab is 4: interactive jobs"
                            + " run only inside it";
            case "no quota" ->
                    "cannot start while project other has no quota: interactive jobs run only"
                            + " inside one";
            case "none allowed" -> "cannot start while project shut allows no interactive jobs";
            default -> expected;
        };
    }
}
