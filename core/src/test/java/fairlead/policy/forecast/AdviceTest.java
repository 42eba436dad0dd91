package fairlead.policy.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.policies.Policies;
import fairlead.policy.Scenario;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

class AdviceTest {
    private static final List<String> CLUSTER =
            List.of(
                    "node m gpus=4 type=v100",
                    "node n gpus=2 type=a100",
                    "project lab quota=4",
                    "project other quota=2",
                    "active x0 xu gpus=1 project=lab on m 0",
                    "active x1 xu gpus=2 project=other on n 0,1");

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "wait j ann gpus=4 project=lab,                  with 3 GPUs",
        "wait j ann gpus=1 type=a100 project=lab,        with any type of GPU",
        "wait j ann gpus=1 project=other interactive,    in project lab",
        "wait j ann gpus=2 tasks=4 project=lab,          nothing",
        "wait j ann gpus=4 tasks=3 project=lab,          with 1 GPU for each task",
        "wait j ann gpus=9 project=lab type=a100,        nothing",
        "wait j ann gpus=9 project=lab,                  with 3 GPUs",
    })
    void theCheapestChangeIsFoundByPlanning(String waiting, String expected) {
        assertEquals(expected, advice(CLUSTER, waiting));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "wait j ann gpus=1,                   with half a GPU",
        "wait j ann gpus=2,                   nothing",
        "wait j ann gpu=600,                  nothing",
        "wait j ann gpus=1 cpus=9,            nothing",
    })
    void whereHalfAGpuIsFreeThatIsTheLast(String waiting, String expected) {
        List<String> cluster = List.of("node n gpus=1", "active x xu gpu=500 on n 0");
        assertEquals(expected, advice(cluster, waiting));
    }

    @Test
    void interactiveWorkThatItsProjectDoesNotAllowMayTrain() {
        List<String> cluster = List.of("node n gpus=1", "project default quota=1 interactive=0");
        assertEquals("as a training job", advice(cluster, "wait j ann gpus=1 interactive"));
    }

    private static String advice(List<String> cluster, String waiting) {
        var lines = new ArrayList<>(cluster);
        lines.add(waiting);
        var scenario = Scenario.parse(lines);
        return Advice.cheapest(scenario.view(), Policies.byName("fair"), scenario.id("j"))
                .orElse("nothing");
    }
}
