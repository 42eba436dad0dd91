package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import fairlead.policies.Policies;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs every file in scenarios/: what starts where, and why the others wait. */
public class PolicyScenarioTest {
    static Stream<Path> files() throws IOException, URISyntaxException {
        Path folder = Path.of(PolicyScenarioTest.class.getResource("/scenarios").toURI());
        return Files.list(folder).sorted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void theScenarioComesOutAsItSays(Path file) throws IOException {
        check(Scenario.parse(Files.readAllLines(file)));
    }

    public static void check(Scenario scenario) {
        assertFalse(scenario.expectations.isEmpty(), "a scenario expects something");
        for (String expectation : scenario.expectations) check(scenario, expectation);
    }

    private static void check(Scenario scenario, String expectation) {
        String[] words = expectation.split(" ", 3);
        Policy policy = Policies.byName(words[0]);
        if (words[1].equals("preempts")) {
            Plan plan = policy.plan(scenario.view());
            String preempts =
                    plan.preempts().stream()
                            .map(
                                    each ->
                                            scenario.name(each.victim())
                                                    + "->"
                                                    + scenario.name(each.beneficiary()))
                            .collect(Collectors.joining(" "));
            assertEquals(words.length == 3 ? words[2] : "", preempts, expectation);
        } else if (words[1].equals("starts")) {
            Plan plan = policy.plan(scenario.view());
            assertEquals(
                    Optional.empty(),
                    PlanCheck.problem(
                            plan,
                            scenario.view(),
                            id -> Optional.ofNullable(scenario.jobs().get(id))));
            assertEquals(words.length == 3 ? words[2] : "", starts(scenario, plan), expectation);
        } else if (words[1].equals("places")) {
            String places =
                    policy.explain(scenario.view()).stream()
                            .map(each -> scenario.name(each.job()) + "=" + each.place())
                            .collect(Collectors.joining(" "));
            assertEquals(words[2], places, expectation);
        } else {
            String job = words[1].substring(0, words[1].length() - 1);
            var explained =
                    policy.explain(scenario.view()).stream()
                            .filter(each -> each.job().equals(scenario.id(job)))
                            .findFirst()
                            .orElseThrow();
            assertEquals(
                    words[2],
                    scenario.renamed(explained.obstacles().getFirst().words()),
                    expectation);
        }
    }

    private static String starts(Scenario scenario, Plan plan) {
        return plan.starts().stream()
                .map(
                        start ->
                                scenario.name(start.job())
                                        + "@"
                                        + start.placement().tasks().stream()
                                                .map(task -> task.node())
                                                .collect(Collectors.joining(",")))
                .collect(Collectors.joining(" "));
    }
}
