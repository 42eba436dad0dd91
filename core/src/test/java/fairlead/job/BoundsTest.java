package fairlead.job;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The last value that is taken, and the first that is refused, by the name of its field. */
class BoundsTest {
    static Stream<Arguments> bounds() {
        return Stream.of(
                range("quota", 1, 1_000_000, BoundsTest::quota),
                least("interactiveMax", 0, BoundsTest::interactiveMax),
                least("interactiveLimit", 1, BoundsTest::interactiveLimit),
                range("epochs", 1, 1_000_000, value -> training(value, 1, 1, 1, 1, 1)),
                least("batchSize", 1, value -> training(1, value, 9, 1, 1, 1)),
                least("trainingSetSize", 5, value -> training(1, 5, value, 1, 1, 1)),
                range("gpusMin", 0, 4, value -> training(1, 1, 1, 4, value, 4)),
                least("gpusMax", 4, value -> training(1, 1, 1, 4, 1, value)),
                least("estimatedMemory", 0, value -> training(Optional.of((long) value), 1)),
                least("estimate", 1, value -> training(Optional.empty(), value)),
                range("gpus", 0, 4_096, value -> new Resources(value, 0, 0)),
                range("cpus", 0, 65_536, value -> new Resources(0, value, 0)),
                least("memory", 0, value -> new Resources(0, 0, value)),
                range("gpu", 1, 999, GpuPart.Fraction::new),
                least("gpuMemory", 100 << 20, GpuPart.Memory::new),
                range("gpu", 1, 1, value -> part(value)),
                range("gpuType", 1, 63, value -> type("x".repeat(value))),
                range("count", 1, 10_000, value -> Samples.role("main", value, 0)),
                range("minFailed", 1, 3, value -> role(3, OptionalInt.of(value), NO_INT)),
                range("minSucceeded", 1, 3, value -> role(3, NO_INT, OptionalInt.of(value))),
                range("name", 1, 63, value -> Samples.role("x".repeat(value), 1, 0)),
                range("ports", 1, 1_024, value -> new Role.Ports("http", 0, value)),
                range("ports", 0, 65_535, value -> new Role.Ports("http", value, 1)),
                range("ports", 1, 1_024, value -> ports(value / 2, value - value / 2)),
                range("roles", 1, 100, BoundsTest::roles),
                range("roles", 2, 10_000, value -> twoRoles(value)),
                range("retries", 0, 1_000, value -> Samples.spec(0, value, NO_TIME, MAIN)),
                range("priority", -1_000_000, 1_000_000, value -> priority(value)),
                range("time", 1, 315_360_000, value -> limit(value)),
                most("env", 1_000, BoundsTest::variables),
                most("command", (128 << 10) - 1, value -> argument("x".repeat(value))),
                // Ten other words with an end each, and the end of this one.
                most("command", (1 << 20) - 10 * 100_001 - 1, BoundsTest::command),
                // A name of one letter, an equals sign and an end; the command "true" and its end.
                most("command", (1 << 20) - 10 * 100_003 - 5, BoundsTest::filled),
                range("image", 1, 255, value -> image("x".repeat(value))),
                most("mounts", 32, BoundsTest::mounts),
                most("ports", 32, BoundsTest::outerPorts),
                range("ports", 1, 65_535, value -> new Container.Port(value, 1)),
                range("ports", 1, 65_535, value -> new Container.Port(1, value)),
                least("mounts", 1, value -> new Container.NewClaim(Optional.empty(), value)),
                range("container.runAs", 0, Integer.MAX_VALUE, value -> runAs(value, 0)),
                range("container.runAs", 0, Integer.MAX_VALUE, value -> runAs(0, value)),
                range("container.podName", 1, 52, value -> details("x".repeat(value), 0, 0)),
                least("container.shm", 0, value -> details("x", value, 0)),
                most("container.pullSecrets", 16, value -> details("x", 0, value)),
                most("origin.key", 512, value -> new Origin("act", "", "k".repeat(value))),
                most("origin.text", 1 << 20, value -> new Origin("act", "t".repeat(value), "")),
                range("retries", -2, 1_000_000, value -> new RetryPolicy(value, Map.of())));
    }

    private static final OptionalInt NO_INT = OptionalInt.empty();
    private static final Optional<Duration> NO_TIME = Optional.empty();
    private static final Role MAIN = Samples.role("main", 1, 0);

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("bounds")
    void theBoundItselfIsTakenAndTheNextIsNot(
            String field, long bound, Executable good, Executable bad) {
        assertDoesNotThrow(good);
        assertEquals(field, assertThrows(SpecException.class, bad).field());
    }

    /** Both ends, as one row that tries two. */
    private static Arguments range(String field, int least, int most, IntConsumer make) {
        return Arguments.of(
                field,
                most,
                (Executable)
                        () -> {
                            make.accept(least);
                            make.accept(most);
                        },
                (Executable)
                        () -> {
                            var below =
                                    assertThrows(SpecException.class, () -> make.accept(least - 1));
                            assertEquals(field, below.field());
                            if (most == Integer.MAX_VALUE) throw below;
                            make.accept(most + 1);
                        });
    }

    private static Arguments least(String field, int least, IntConsumer make) {
        return Arguments.of(
                field,
                least,
                (Executable) () -> make.accept(least),
                (Executable) () -> make.accept(least - 1));
    }

    private static Arguments most(String field, int most, IntConsumer make) {
        return Arguments.of(
                field,
                most,
                (Executable) () -> make.accept(most),
                (Executable) () -> make.accept(most + 1));
    }

    private static void quota(int value) {
        Project.named("lab").withQuota(OptionalInt.of(value));
    }

    private static void interactiveMax(int value) {
        new Project("lab", NO_INT, Set.of(), OptionalInt.of(value), Duration.ofHours(1));
    }

    private static void interactiveLimit(int value) {
        new Project("lab", NO_INT, Set.of(), NO_INT, Duration.ofNanos(value));
    }

    private static void training(int epochs, int batch, int set, int gpus, int min, int max) {
        new Training(
                epochs,
                batch,
                set,
                gpus,
                min,
                max,
                true,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static void training(Optional<Long> memory, int estimate) {
        var time = Optional.of(Duration.ofNanos(estimate));
        new Training(1, 1, 1, 1, 1, 1, true, memory, time, Optional.empty());
    }

    private static void part(int gpus) {
        new Resources(gpus, new GpuPart.Fraction(500), Optional.empty(), 0, 0);
    }

    private static void type(String type) {
        new Resources(1, GpuPart.WHOLE, Optional.of(type), 0, 0);
    }

    private static void role(int count, OptionalInt minFailed, OptionalInt minSucceeded) {
        new Role("main", count, List.of("true"), new Resources(0, 1, 0), minFailed, minSucceeded);
    }

    private static void ports(int some, int others) {
        var ports =
                some == 0
                        ? List.of(new Role.Ports("b", 0, others))
                        : List.of(new Role.Ports("a", 0, some), new Role.Ports("b", 0, others));
        new Role("main", 1, List.of("true"), new Resources(0, 1, 0), NO_INT, NO_INT, ports);
    }

    private static void roles(int count) {
        Samples.spec(
                IntStream.range(0, count)
                        .mapToObj(i -> Samples.role("r" + i, 1, 0))
                        .toArray(Role[]::new));
    }

    private static void twoRoles(int tasks) {
        Samples.spec(
                Samples.role("a", 1, 0), tasks == 1 ? none() : Samples.role("b", tasks - 1, 0));
    }

    private static Role none() {
        throw new SpecException("roles", "a role has a task");
    }

    private static void priority(int value) {
        Samples.spec(value, 0, NO_TIME, MAIN);
    }

    private static void limit(int seconds) {
        Samples.spec(0, 0, Optional.of(Duration.ofSeconds(seconds)), MAIN);
    }

    private static void variables(int count) {
        var variables = new HashMap<String, String>();
        for (int i = 0; i < count; i++) variables.put("V" + i, "");
        Samples.spec(MAIN).withEnvironment(variables);
    }

    private static void argument(String text) {
        Samples.spec(MAIN.running(List.of(text)));
    }

    private static void command(int last) {
        var words = new ArrayList<>(Collections.nCopies(10, "x".repeat(100_000)));
        words.add("x".repeat(last));
        Samples.spec(MAIN.running(words));
    }

    private static void filled(int last) {
        var variables = new HashMap<String, String>();
        for (char name = 'A'; name < 'K'; name++) variables.put("" + name, "x".repeat(100_000));
        variables.put("L", "x".repeat(last - 3));
        Samples.spec(MAIN).withEnvironment(variables);
    }

    private static void image(String name) {
        new Container(Optional.of(name), List.of(), List.of());
    }

    private static void mounts(int count) {
        var mounts =
                IntStream.range(0, count)
                        .mapToObj(i -> new Container.Mount("/data", "/" + i, true))
                        .toList();
        new Container(Optional.empty(), mounts, List.of());
    }

    private static void outerPorts(int count) {
        var ports = IntStream.range(1, count + 1).mapToObj(i -> new Container.Port(i, i)).toList();
        new Container(Optional.empty(), List.of(), ports);
    }

    private static void runAs(long user, long group) {
        new Container.RunAs(user, OptionalLong.of(group));
    }

    private static void details(String podName, long shm, int secrets) {
        Container.Details.of(
                edit -> {
                    edit.podName = Optional.of(podName);
                    edit.shmBytes = shm;
                    edit.pullSecrets = Collections.nCopies(secrets, "s");
                });
    }
}
