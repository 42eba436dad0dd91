package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.api.launch.LaunchHook;
import fairlead.api.launch.LaunchPlan;
import fairlead.api.launch.LaunchedJob;
import fairlead.api.launch.Misfit;
import fairlead.api.spec.SpecBody;
import fairlead.engine.TaskPorts;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Origin;
import fairlead.job.Placement;
import fairlead.job.Role;
import fairlead.job.SpecException;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.wire.Specs;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** A whole dialect, as small as one can be, and what the server makes of its jobs. */
final class LaunchHooksTest {
    private static final LaunchHooks HOOKS = new LaunchHooks(List.of(new Loud()));

    /** Its origin is what the tasks shout before they begin. */
    private static final class Loud implements LaunchHook {
        @Override
        public String dialect() {
            return "loud";
        }

        @Override
        public void check(SpecBody spec, Optional<String> user) throws Misfit {
            text(spec);
        }

        private static String text(SpecBody spec) throws Misfit {
            String text = spec.origin().text();
            Misfit.unless(text.endsWith("!"), "origin.text", "is not loud: '" + text + "'");
            return text;
        }

        @Override
        public LaunchPlan plan(SpecBody spec, String owner) throws Misfit {
            String shout = owner + " " + text(spec);
            return new LaunchPlan(
                    command -> {
                        var words = new ArrayList<>(List.of("shout", shout));
                        words.addAll(command);
                        return words;
                    },
                    Optional.of("/loud"),
                    Optional.of("ears"),
                    Optional.empty(),
                    Optional.empty());
        }

        @Override
        public IntFunction<Map<String, String>> variables(LaunchedJob job) throws Misfit {
            String shout = text(job.spec());
            return rank ->
                    Map.of("SHOUT", shout + job.tasks().get(rank).host() + job.tasks().size());
        }
    }

    private static Effect.Launch launch(Origin origin) {
        JobSpec plain =
                Specs.read(
                        SpecBody.of(edit -> edit.command = List.of("true")),
                        new Specs.Defaults("ann", "default", "/home/ann", false, "local"));
        var edit = new JobSpec.Edit(plain);
        edit.origin = Optional.ofNullable(origin);
        var id = new JobId("train_1_00000001");
        var job =
                Job.submitted(
                        id, edit.spec(), "ann", Instant.EPOCH, Optional.empty(), Optional.empty());
        var place = new TaskPlacement(new TaskId(Role.MAIN, 0), "here", List.of());
        return new Effect.Launch(
                job, new Attempt(new AttemptId(id, 1), new Placement(List.of(place))));
    }

    private static Map<String, String> variables(Effect.Launch launch) {
        return HOOKS.of(launch, List.of(), new TaskPorts(launch, List.of())).apply(0);
    }

    @Test
    void aDialectChangesTheLaunchOfItsOwnJobs() {
        Effect.Launch launch = launch(new Origin("loud", "hey!", ""));
        JobSpec prepared = new PlannedCommands(HOOKS).prepare(launch).job().spec();
        Role role = prepared.roles().getFirst();
        assertEquals(List.of("shout", "ann hey!", "true"), role.command());
        assertEquals("/loud", prepared.workingFolder());
        assertEquals("ears", role.ports().getFirst().label());
        assertEquals(Map.of("SHOUT", "hey!1"), variables(launch));
    }

    @Test
    void otherJobsAreLeftAlone() {
        for (var origin : new Origin[] {null, new Origin("other", "hey!", "")}) {
            Effect.Launch launch = launch(origin);
            assertEquals(launch, new PlannedCommands(HOOKS).prepare(launch));
            assertEquals(Map.of(), variables(launch));
        }
    }

    @Test
    void anOriginThatDoesNotFitIsRefusedAndStartsAsAPlainJobWhereItWasTakenBefore() {
        Effect.Launch launch = launch(new Origin("loud", "hey", ""));
        var refusal =
                assertThrows(
                        SpecException.class,
                        () -> HOOKS.check(launch.job().spec(), Optional.empty()));
        assertEquals("origin.text: is not loud: 'hey'", refusal.getMessage());
        assertEquals(launch, new PlannedCommands(HOOKS).prepare(launch));
        assertEquals(Map.of(), variables(launch));
    }
}
