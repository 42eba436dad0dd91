package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.JobId;
import fairlead.job.Placement;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
                            "wait more ann gpus=1 project=lab interactive"));

    static Stream<Arguments> plans() {
        return Stream.of(
                Arguments.of("", starts(start("one", "a", List.of(1)))),
                Arguments.of("a GPU that is taken", starts(start("one", "a", List.of(0)))),
                Arguments.of("a GPU that is not there", starts(start("one", "a", List.of(7)))),
                Arguments.of("too many GPUs", starts(start("one", "a", List.of(1, 2)))),
                Arguments.of("half a gang", starts(start("pair", "a", List.of(1, 2)))),
                Arguments.of(
                        "one GPU for two tasks",
                        starts(start("pair", "a", List.of(1, 2), List.of(2, 3)))),
                Arguments.of("a node that is down", starts(start("one", "b", List.of(1)))),
                Arguments.of("an unknown node", starts(start("one", "d", List.of(1)))),
                Arguments.of("a job that runs", starts(start("run", "a", List.of(1)))),
                Arguments.of("a job that pauses", starts(start("later", "a", List.of(1)))),
                Arguments.of(
                        "the same job twice",
                        starts(start("one", "a", List.of(1)), start("one", "a", List.of(2)))),
                Arguments.of(
                        "interactive work beyond its quota",
                        starts(start("more", "c", List.of(1)))),
                Arguments.of("interactive work preempted", preempts(preempt("sits", "one"))),
                Arguments.of("", preempts(preempt("run", "one"))),
                Arguments.of("a victim that does not run", preempts(preempt("pair", "one"))),
                Arguments.of("a beneficiary that does not wait", preempts(preempt("run", "run"))),
                Arguments.of(
                        "a victim twice", preempts(preempt("run", "one"), preempt("run", "pair"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plans")
    void aBrokenPromiseIsFound(String broken, Plan plan) {
        Optional<String> problem =
                PlanCheck.problem(
                        plan, SCENE.view(), id -> Optional.ofNullable(SCENE.jobs().get(id)));
        assertEquals(!broken.isEmpty(), problem.isPresent(), broken + ": " + problem);
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
