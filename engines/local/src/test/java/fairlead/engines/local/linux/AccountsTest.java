package fairlead.engines.local.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import fairlead.engine.MoreVariables;
import fairlead.engine.TaskEnvironment;
import fairlead.engines.local.CrashingServer;
import fairlead.engines.local.Jobs;
import fairlead.engines.local.LocalEngine;
import fairlead.engines.local.LocalEngineTest;
import fairlead.engines.local.LocalSettings;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Tasks and accounts: who may run as whom, and what the task then sees. */
class AccountsTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);
    private static final String OTHER = "nobody";

    @TempDir Path home;
    private LocalEngine engine;

    @BeforeEach
    void open() throws Exception {
        engine = LocalEngine.open(LocalSettings.at(home));
    }

    @AfterEach
    void close() throws Exception {
        for (var seen : engine.observe()) engine.forget(seen.attempt());
        engine.close();
    }

    @Test
    void anUnknownAccountIsRefusedAndNeverRun() throws Exception {
        var launch = as("no-such-account", Map.of(), "echo ran");
        assertEquals(
                Optional.of("there is no account 'no-such-account' on this machine"),
                engine.refuses(launch.job().spec()));
        assertEquals(OptionalInt.of(126), run(launch).code());
        assertTrue(log(launch.attempt()).startsWith("fairlead: there is no account"));
    }

    @Test
    void onesOwnAccountNeedsNoPrivilege() throws Exception {
        var launch = as(LocalEngineTest.output("id", "-un"), Map.of(), "id -u");
        assertEquals(Optional.empty(), engine.refuses(launch.job().spec()));
        assertEquals(OptionalInt.of(0), run(launch).code());
        assertEquals(Libc.effectiveUser() + "\n", log(launch.attempt()));
    }

    @Test
    void withoutRootNoOtherAccountIsPossible() throws Exception {
        int somebody = Accounts.find(OTHER).orElseThrow().uid();
        assertEquals(Optional.empty(), Accounts.refusal(OTHER, somebody));
        assertEquals(
                Optional.of(
                        "only a server that runs as root can run jobs as another account"
                                + " ('root')"),
                Accounts.refusal("root", somebody));
    }

    @Test
    void aTaskOfAnotherAccountHasItsIdentityItsVariablesAndNothingOfRoot() throws Exception {
        assumeRoot();
        var variables = Map.of("NAME", "it's \"$HOME\" `x`\n2nd line", "name", "lower");
        var script =
                "id -un; echo $HOME $USER $LOGNAME; pwd; echo \"$NAME\" $name; echo ok"
                        + " >>/dev/stdout";
        var launch = as(OTHER, variables, script + "; env | grep -c VARIABLE; touch " + home);
        assertEquals(Optional.empty(), engine.refuses(launch.job().spec()));
        assertEquals(OptionalInt.of(1), run(launch).code());
        var account = Accounts.find(OTHER).orElseThrow();
        var lines = log(launch.attempt()).lines().toList();
        assertEquals(
                List.of(
                        OTHER,
                        account.home() + " " + OTHER + " " + OTHER,
                        "/",
                        "it's \"$HOME\" `x`",
                        "2nd line lower",
                        "ok",
                        "0"),
                lines.subList(0, 7));
    }

    /** The engine's own folder is closed to other accounts. */
    @ParameterizedTest(name = "as {0}")
    @ValueSource(strings = {"root", OTHER})
    void aFolderOfTheTaskIsItsAccountsAloneAndGoesWithTheTask(String account) throws Exception {
        assumeRoot();
        engine.close();
        MoreVariables asking = (_, _, _) -> _ -> Map.of(TaskEnvironment.TASK_FOLDER, "");
        engine = LocalEngine.open(LocalSettings.at(home).with(asking));
        String script =
                "cd $FAIRLEAD_TASK_FOLDER && mkdir in && echo secret >in/key && stat -c %A:%U . &&"
                        + " pwd";
        var launch = as(account, Map.of(), script + "; kill -9 $$");
        assertEquals(OptionalInt.of(137), run(launch).code());
        var lines = log(launch.attempt()).lines().toList();
        assertEquals("drwx------:" + account, lines.getFirst());
        assertFalse(Files.exists(Path.of(lines.get(1))), lines.get(1));
    }

    /** A shell on the way would stop at such a name, or lose it. */
    @ParameterizedTest(name = "as {0}")
    @ValueSource(strings = {"root", OTHER})
    void variablesWhoseNamesNoShellTakesArriveToo(String account) throws Exception {
        assumeRoot();
        engine.close();
        MoreVariables odd = (_, _, _) -> _ -> Map.of("a.b", "c d", "-x", "$HOME", "plain", "p");
        engine = LocalEngine.open(LocalSettings.at(home).with(odd));
        // What the task was started with: its own sh may drop some.
        var launch = as(account, Map.of(), "tr '\\0' '\\n' </proc/$$/environ | LC_ALL=C sort");
        assertEquals(OptionalInt.of(0), run(launch).code());
        var lines = log(launch.attempt()).lines().toList();
        assertTrue(lines.containsAll(List.of("-x=$HOME", "a.b=c d", "plain=p")), lines.toString());
    }

    /**
     * The loader complains in every process that it cannot preload the file: the task's two alone.
     */
    @Test
    void variablesThatSteerTheLoaderDoNotReachWhatRunsAsRoot() throws Exception {
        assumeRoot();
        var launch = as(OTHER, Map.of("LD_PRELOAD", "/no/such.so"), "/bin/true; exit 0");
        assertEquals(OptionalInt.of(0), run(launch).code());
        var complaints = log(launch.attempt()).lines().filter(line -> line.contains("/no/such.so"));
        assertEquals(2, complaints.count());
    }

    @Test
    void aTaskOfAnotherAccountCanBeStoppedByForce() throws Exception {
        assumeRoot();
        var launch = as(OTHER, Map.of(), "trap '' TERM; echo ready; while :; do sleep 0.05; done");
        engine.launch(launch);
        Eventually.when(() -> log(launch.attempt()).contains("ready"));
        engine.stop(launch.attempt(), Duration.ZERO);
        assertEquals(OptionalInt.of(137), run(launch).code());
    }

    private static void assumeRoot() {
        assumeTrue(
                Libc.effectiveUser() == 0, "not root: only root can run tasks as another account");
    }

    private static Effect.Launch as(String account, Map<String, String> variables, String script) {
        int dice = script.hashCode();
        var plain = Jobs.single(CrashingServer.job(dice), "/", List.of("/bin/sh", "-c", script));
        var spec = plain.job().spec();
        var own =
                spec.with(
                        edit -> {
                            edit.environment = variables;
                            edit.user = Optional.of(account);
                        });
        var job = plain.job();
        return new Effect.Launch(
                Job.submitted(
                        job.id(), own, "me", job.submitted(), Optional.empty(), Optional.empty()),
                plain.place());
    }

    private Exit run(Effect.Launch launch) throws Exception {
        engine.launch(launch);
        Eventually.when(() -> exit(launch.attempt()) != null);
        return exit(launch.attempt());
    }

    private Exit exit(AttemptId attempt) throws Exception {
        for (var seen : engine.observe()) {
            if (seen.attempt().equals(attempt)) return seen.exits().get(MAIN);
        }
        return null;
    }

    private String log(AttemptId attempt) throws Exception {
        return new String(engine.log(attempt, MAIN).read(0, 1 << 20), StandardCharsets.UTF_8);
    }
}
