package fairlead.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

class JobSpecTest {
    private static final Role MAIN = Samples.role("main", 1, 1);

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("name", "a name with a blank", () -> named("my job")),
                mistake("name", "an empty name", () -> named("")),
                mistake("name", "a name that could climb out of a folder", () -> named("../x")),
                mistake("roles", "no role", () -> Samples.spec()),
                mistake("roles[1].name", "a role twice", () -> Samples.spec(MAIN, MAIN)),
                mistake(
                        "roles",
                        "too many tasks",
                        () -> Samples.spec(Samples.role("a", 9_999, 0), Samples.role("b", 2, 0))),
                mistake(
                        "retries",
                        "negative retries",
                        () -> Samples.spec(0, -1, Optional.empty(), MAIN)),
                mistake(
                        "priority",
                        "a huge priority",
                        () -> Samples.spec(Integer.MIN_VALUE, 0, Optional.empty(), MAIN)),
                mistake(
                        "time",
                        "no time at all",
                        () -> Samples.spec(0, 0, Optional.of(Duration.ZERO), MAIN)),
                mistake("command", "an empty command", () -> command(List.of())),
                mistake("command", "an empty program", () -> command(List.of("", "x"))),
                mistake("command", "a NUL", () -> command(List.of("echo", "a\0b"))),
                mistake(
                        "command",
                        "a huge argument",
                        () -> command(List.of("echo", "x".repeat(128 * 1024)))),
                mistake(
                        "command",
                        "ten MiB of arguments",
                        () ->
                                Samples.spec(
                                        withCommand(
                                                Collections.nCopies(100, "x".repeat(100 * 1024))))),
                mistake("gpus", "negative GPUs", () -> new Resources(-1, 0, 0)),
                mistake("cpus", "too many CPUs", () -> new Resources(0, 1 << 20, 0)),
                mistake("memory", "negative memory", () -> new Resources(0, 0, -1)),
                mistake("count", "no task", () -> Samples.role("main", 0, 1)),
                mistake(
                        "minFailed",
                        "more failures than tasks",
                        () ->
                                new Role(
                                        "main",
                                        1,
                                        List.of("x"),
                                        new Resources(0, 1, 0),
                                        OptionalInt.of(2),
                                        OptionalInt.empty())),
                mistake("env", "a bad variable name", () -> environment(Map.of("A-B", "1"))),
                mistake("env.A", "a NUL in a value", () -> environment(Map.of("A", "\0"))),
                mistake(
                        "workdir",
                        "a relative folder",
                        () ->
                                JobSpec.of(
                                        edit -> {
                                            edit.name = "a";
                                            edit.cluster = "local";
                                            edit.project = "p";
                                            edit.roles = List.of(MAIN);
                                            edit.workingFolder = "here";
                                        })),
                mistake(
                        "user",
                        "an account with a blank",
                        () ->
                                JobSpec.of(
                                        edit -> {
                                            edit.name = "a";
                                            edit.cluster = "local";
                                            edit.project = "p";
                                            edit.roles = List.of(MAIN);
                                            edit.workingFolder = "/";
                                            edit.user = Optional.of("no body");
                                        })));
    }

    @ParameterizedTest(name = "{1} is refused")
    @MethodSource("mistakes")
    void aMistakeIsRefusedByItsField(String field, String what, Executable making) {
        assertEquals(field, assertThrows(SpecException.class, making, what).field());
    }

    @Test
    void gpusAreCountedOverAllTasks() {
        assertEquals(10, Samples.spec(Samples.role("a", 3, 2), Samples.role("b", 4, 1)).gpus());
    }

    private static Arguments mistake(String field, String what, Executable making) {
        return Arguments.of(field, what, making);
    }

    private static JobSpec named(String name) {
        var spec = new JobSpec.Edit();
        spec.name = name;
        spec.cluster = "local";
        spec.project = "p";
        spec.roles = List.of(MAIN);
        spec.workingFolder = "/";
        return spec.spec();
    }

    private static JobSpec environment(Map<String, String> environment) {
        var spec = new JobSpec.Edit();
        spec.name = "a";
        spec.cluster = "local";
        spec.project = "p";
        spec.roles = List.of(MAIN);
        spec.environment = environment;
        spec.workingFolder = "/";
        return spec.spec();
    }

    private static Role withCommand(List<String> command) {
        return new Role(
                "main", 1, command, new Resources(0, 1, 0), OptionalInt.of(1), OptionalInt.empty());
    }

    private static JobSpec command(List<String> command) {
        return Samples.spec(withCommand(command));
    }
}
