package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Gpu;
import fairlead.engine.MoreVariables;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import io.fabric8.kubernetes.api.model.EnvVar;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Pods as they are to be made, without a cluster. */
class TaskPodsTest {
    private static Map<String, String> variables(
            int rank, MoreVariables more, Role.Ports... ports) {
        var role =
                new Role(
                        "w",
                        2,
                        List.of("true"),
                        new Resources(0, 1, 0),
                        OptionalInt.of(1),
                        OptionalInt.empty(),
                        List.of(ports));
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "j";
                            edit.cluster = "lab";
                            edit.project = "default";
                            edit.roles = List.of(role);
                            edit.workingFolder = "";
                            edit.container = new Container(Optional.of("i"), List.of(), List.of());
                        });
        Instant now = Instant.parse("2026-01-01T12:00:00Z");
        Job job =
                Job.submitted(
                        JobId.of("j", now, 1),
                        spec,
                        "ann",
                        now,
                        Optional.empty(),
                        Optional.empty());
        var places =
                List.of(
                        new TaskPlacement(new TaskId("w", 0), "a", List.of()),
                        new TaskPlacement(new TaskId("w", 1), "b", List.of()));
        var attempt = new Attempt(new AttemptId(job.id(), 1), new Placement(places));
        var settings =
                new KubernetesSettings(
                        Path.of("/home"),
                        "lab",
                        Optional.empty(),
                        Optional.empty(),
                        KubernetesSettings.NAMESPACE,
                        Optional.empty(),
                        KubernetesSettings.RESERVATION_IMAGE,
                        List.of(),
                        List.of(),
                        List.of(),
                        KubernetesSettings.Rules.USUAL,
                        Duration.ofMinutes(1),
                        1,
                        more);
        var pods =
                new TaskPods(
                        settings,
                        "server",
                        new Effect.Launch(job, attempt),
                        Map.of(),
                        NOTHING_KNOWN,
                        List.of());
        return pods
                .pod(rank, Optional.empty())
                .getSpec()
                .getContainers()
                .getFirst()
                .getEnv()
                .stream()
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }

    static final TaskPods.NodeFacts NOTHING_KNOWN =
            new TaskPods.NodeFacts() {
                @Override
                public List<Gpu> gpus(String node) {
                    return List.of();
                }

                @Override
                public Map<String, BigDecimal> besideGpus(String node, BigDecimal gpus) {
                    return Map.of();
                }

                @Override
                public int replicas(String node) {
                    return 1;
                }
            };

    @Test
    void noPodHasAPortTwice() {
        for (int rank = 0; rank < 2; rank++) {
            var variables =
                    variables(
                            rank,
                            MoreVariables.NONE,
                            new Role.Ports("fixed", 20_001, 2),
                            new Role.Ports("any", 0, 3),
                            new Role.Ports("http", 0, 1));
            var numbers = new HashSet<String>();
            for (String label : List.of("FIXED", "ANY", "HTTP")) {
                String list = variables.get("FAIRLEAD_PORT_" + label);
                for (String number : Arrays.asList(list.split(","))) {
                    assertTrue(numbers.add(number), variables.toString());
                }
            }
            assertEquals(6, numbers.size());
            assertFalse(numbers.contains(variables.get("MASTER_PORT")));
        }
    }

    @Test
    void moreVariablesAreThereUnlessTheClusterWouldRefuseTheirNames() {
        MoreVariables more =
                (_, hosts, _) ->
                        rank -> Map.of("a.b", hosts.get(rank), "a~b", "x", "FAIRLEAD_JOB", "x");
        var variables = variables(1, more);
        assertTrue(variables.get("a.b").contains("."), variables.toString());
        assertFalse(variables.containsKey("a~b"));
        assertEquals("j_1767268800_00000001", variables.get("FAIRLEAD_JOB"), "ours go first");
    }
}
