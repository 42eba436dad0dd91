package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Placement;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class PlanCheckTest {
    private static final Scenario SCENE =
            Scenario.parse(
                    List.of(
                            "node a gpus=4",
                            "node b gpus=4 down",
                            "active run ann gpus=1 on a 0",
                            "wait one ann gpus=1",
                            "wait pair bob gpus=2 tasks=2",
                            "wait later bob gpus=1 pauses",
                            "project lab quota=1 interactive=1",
                            "active sits ann gpus=1 project=lab interactive on c 0",
                            "node c gpus=2",
                            "wait more ann gpus=1 project=lab interactive",
                            "project den quota=1",
                            "wait talk bob gpus=1 project=den interactive",
                            "wait chat bob gpus=1 project=den interactive",
                            "wait work bob gpus=1 project=den",
                            "project pub quota=4 interactive=1",
                            "wait read bob gpus=1 project=pub interactive",
                            "wait note bob gpus=1 project=pub interactive"));

    /**
     * The end of what the check says, with the scene's names for jobs; nothing where the plan is
     * good.
     */
    static Stream<Arguments> plans() {
        return Stream.of(
                Arguments.of("", starts()),
                Arguments.of("", starts(start("one", "a", List.of(1)))),
                Arguments.of(
                        "does not fit on a, free: [0, 1000, 1000, 1000]",
                        starts(start("one", "a", List.of(0)))),
                Arguments.of(
                        "does not fit on a, free: [0, 1000, 1000, 1000]",
                        starts(start("one", "a", List.of(7)))),
                Arguments.of(
                        "does not fit on a, free: [0, 1000, 1000, 1000]",
                        starts(start("one", "a", List.of(1, 2)))),
                Arguments.of(
                        "pair is not placed whole: [main/0]",
                        starts(start("pair", "a", List.of(1, 2)))),
                Arguments.of(
                        "does not fit on a, free: [0, 0, 0, 1000]",
                        starts(start("pair", "a", List.of(1, 2), List.of(2, 3)))),
                Arguments.of(
                        "does not fit on b, free: [1000, 1000, 1000, 1000]",
                        starts(start("one", "b", List.of(1)))),
                Arguments.of(
                        "one is placed on an unknown node: d",
                        starts(start("one", "d", List.of(1)))),
                Arguments.of("run does not wait", starts(start("run", "a", List.of(1)))),
                Arguments.of("later still pauses", starts(start("later", "a", List.of(1)))),
                Arguments.of(
                        "one is started twice",
                        starts(start("one", "a", List.of(1)), start("one", "a", List.of(2)))),
                Arguments.of(
                        "main/0 of one is placed twice",
                        starts(new Plan.Start(SCENE.id("one"), twice("main", "a", 1, 2)))),
                Arguments.of(
                        "more is interactive and beyond the quota of lab",
                        starts(start("more", "c", List.of(1)))),
                Arguments.of("", starts(start("talk", "a", List.of(1)))),
                Arguments.of(
                        "chat is interactive and beyond the quota of den",
                        starts(start("talk", "a", List.of(1)), start("chat", "a", List.of(2)))),
                Arguments.of(
                        "chat is interactive and beyond the quota of den",
                        starts(start("work", "a", List.of(1)), start("chat", "a", List.of(2)))),
                Arguments.of(
                        "", starts(start("chat", "a", List.of(2)), start("work", "a", List.of(1)))),
                Arguments.of("", starts(start("read", "a", List.of(1)))),
                Arguments.of(
                        "note is one interactive job too many in pub",
                        starts(start("read", "a", List.of(1)), start("note", "a", List.of(2)))),
                Arguments.of(
                        "sits is interactive and must not be preempted",
                        preempts(preempt("sits", "one"))),
                Arguments.of("", preempts(preempt("run", "one"))),
                Arguments.of("pair does not run", preempts(preempt("pair", "one"))),
                Arguments.of("run does not wait", preempts(preempt("run", "run"))),
                Arguments.of(
                        "run is stopped twice",
                        preempts(preempt("run", "one"), preempt("run", "pair"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plans")
    void aBrokenPromiseIsFound(String broken, Plan plan) {
        Optional<String> problem =
                PlanCheck.problem(
                        plan, SCENE.view(), id -> Optional.ofNullable(SCENE.jobs().get(id)));
        String said = problem.map(SCENE::renamed).orElse("");
        assertTrue(broken.isEmpty() ? said.isEmpty() : said.endsWith(broken), said);
    }

    @Test
    void aTrainingJobHasASizeThatItAllows() {
        Job trains = Samples.job(99, "ann", Samples.training(1, 10));
        assertEquals("", said(trains, List.of(1)));
        assertEquals("", said(trains, List.of(1, 2)));
        assertEquals(
                trains.id() + " does not allow 65 GPUs",
                said(trains, IntStream.range(0, 65).boxed().toList()));
    }

    private static String said(Job waiting, List<Integer> gpus) {
        var placement = start("one", "a", gpus).placement();
        return PlanCheck.problem(
                        starts(new Plan.Start(waiting.id(), placement)),
                        SCENE.view(),
                        _ -> Optional.of(waiting))
                .orElse("");
    }

    private static Placement twice(String role, String node, int... gpus) {
        return new Placement(
                Arrays.stream(gpus)
                        .mapToObj(
                                gpu -> TaskPlacement.whole(new TaskId(role, 0), node, List.of(gpu)))
                        .toList());
    }

    private static Plan starts(Plan.Start... starts) {
        return new Plan(List.of(starts), List.of());
    }

    private static Plan preempts(Plan.Preempt... preempts) {
        return new Plan(List.of(), List.of(preempts));
    }

    private static Plan.Preempt preempt(String victim, String beneficiary) {
        JobId first = SCENE.id(victim);
        return new Plan.Preempt(first, SCENE.id(beneficiary), "a test");
    }

    @SafeVarargs
    private static Plan.Start start(String job, String node, List<Integer>... gpus) {
        var tasks = new ArrayList<TaskPlacement>();
        for (int i = 0; i < gpus.length; i++) {
            tasks.add(TaskPlacement.whole(new TaskId("main", i), node, gpus[i]));
        }
        return new Plan.Start(SCENE.id(job), new Placement(tasks));
    }
}
