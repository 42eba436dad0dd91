package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    })
    void theCheapestChangeIsFoundByPlanning(String waiting, String expected) {
        var lines = new ArrayList<>(CLUSTER);
        lines.add(waiting);
        var scenario = Scenario.parse(lines);
        String advice =
                Advice.cheapest(scenario.view(), Policies.byName("fair"), scenario.id("j"))
                        .orElse("nothing");
        assertEquals(expected, advice);
    }
}
