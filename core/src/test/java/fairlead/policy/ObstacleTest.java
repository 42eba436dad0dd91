package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.GpuPart;
import fairlead.job.JobId;
import fairlead.job.Samples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class ObstacleTest {
    private static final JobId A = new JobId("a_1_00000001");
    private static final JobId B = new JobId("b_1_00000001");
    private static final GpuPart HALF = new GpuPart.Fraction(500);

    static Stream<Arguments> obstacles() {
        return Stream.of(
                Arguments.of(
                        "needs 1 GPU on one node; the largest free block is 0",
                        new Obstacle.NotEnoughGpus(1, 0, "n")),
                Arguments.of(
                        "needs 4 GPUs on one node; the largest free block is 3 on n",
                        new Obstacle.NotEnoughGpus(4, 3, "n")),
                Arguments.of(
                        "needs room for 3 tasks at once; now there is room for 2",
                        new Obstacle.NotEnoughForAll(3, "", 2, List.of())),
                Arguments.of(
                        "needs room for 3 tasks at once (3 CPUs in all); now there is room for 2:"
                                + " port 80 is taken elsewhere",
                        new Obstacle.NotEnoughForAll(3, "3 CPUs", 2, List.of(80))),
                Arguments.of(
                        "other training jobs end sooner with the GPUs that are free",
                        new Obstacle.OthersGainMore()),
                Arguments.of(
                        "needs 1 CPU on one node; the most that is free is 0",
                        new Obstacle.NotEnoughCpus(1, 0)),
                Arguments.of(
                        "needs 2 MiB of memory on one node; the most that is free is 1 MiB",
                        new Obstacle.NotEnoughMemory((1 << 20) + 1, 1 << 20)),
                Arguments.of(
                        "needs 23.6 GiB of memory on one node; the most that is free is 23.5 GiB",
                        new Obstacle.NotEnoughMemory((47L << 29) + 1, 47L << 29)),
                Arguments.of(
                        "needs a GPU of type h100; this cluster has no GPU",
                        new Obstacle.NoGpuOfType("h100", List.of())),
                Arguments.of(
                        "needs a GPU of type h100; this cluster has a100, t4",
                        new Obstacle.NoGpuOfType("h100", List.of("a100", "t4"))),
                Arguments.of(
                        "needs a GPU of type h100; this cluster's GPUs are only declared, and have"
                                + " no type",
                        new Obstacle.NoGpuOfType("h100", List.of("declared"))),
                Arguments.of(
                        "needs a whole GPU; no ready node has such a GPU",
                        new Obstacle.NoGpuHasRoom(GpuPart.WHOLE, 0, 0, 0)),
                Arguments.of(
                        "needs 0.5 of a GPU; no GPU has that much left",
                        new Obstacle.NoGpuHasRoom(HALF, 2, 1, 2)),
                Arguments.of(
                        "needs 100 MiB of one GPU's memory; no GPU has that much",
                        new Obstacle.NoGpuHasRoom(new GpuPart.Memory(100 << 20), 2, 2, 1)),
                Arguments.of(
                        "needs 100 MiB of one GPU's memory; the memory of this cluster's GPUs is"
                                + " unknown: ask for a part, such as 0.5",
                        new Obstacle.NoGpuHasRoom(new GpuPart.Memory(100 << 20), 2, 2, 2)),
                Arguments.of(
                        "needs port 80 of its node, which other tasks have",
                        new Obstacle.PortsTaken(List.of(80))),
                Arguments.of(
                        "needs ports 80, 81 of its node, which other tasks have",
                        new Obstacle.PortsTaken(List.of(80, 81))),
                Arguments.of(
                        "needs 1 GPU, 2 CPUs and 3 MiB of memory together on one node; no node has"
                                + " all of them free",
                        new Obstacle.NotOnOneNode(1, 2, 3 << 20)),
                Arguments.of(
                        "waits behind 1 job; next to start is a_1_00000001",
                        new Obstacle.BehindInQueue(1, A)),
                Arguments.of(
                        "starts as soon as a_1_00000001 has stopped for it",
                        new Obstacle.BeingFreed(List.of(A))),
                Arguments.of(
                        "starts as soon as 2 jobs have stopped for it",
                        new Obstacle.BeingFreed(List.of(A, B))),
                Arguments.of(
                        "project lab holds 1.5 of its 2 GPUs, and interactive jobs run only inside"
                                + " the quota: it starts once 1 is free there",
                        new Obstacle.QuotaFull("lab", 1_500, 2_000, 1_000)),
                Arguments.of(
                        "cannot start while project lab has no quota: interactive jobs run only"
                                + " inside one",
                        new Obstacle.NoQuota("lab")),
                Arguments.of(
                        "cannot start with 3 GPUs while the quota of project lab is 2: interactive"
                                + " jobs run only inside it",
                        new Obstacle.QuotaTooSmall("lab", 2_000, 3_000)),
                Arguments.of(
                        "project lab has its 1 interactive job running: it starts once one of them"
                                + " has ended",
                        new Obstacle.TooManyInteractive("lab", 1)),
                Arguments.of(
                        "cannot start while project lab allows no interactive jobs",
                        new Obstacle.TooManyInteractive("lab", 0)),
                Arguments.of(
                        "pauses after a failed attempt until 2026-01-01T12:00:00Z",
                        new Obstacle.RetryPause(Samples.NOON.plusNanos(455_940_149))),
                Arguments.of(
                        "can never start on this cluster: 9 GPUs",
                        new Obstacle.NeverFits("9 GPUs")),
                Arguments.of("the cluster has no ready node", new Obstacle.NoNodes()),
                Arguments.of(
                        "the cluster moon cannot be reached: no answer",
                        new Obstacle.Unreachable("moon", "no answer")),
                Arguments.of(
                        "the cluster moon cannot be reached: no answer",
                        new Obstacle.Unreachable(
                                "moon", "the cluster moon cannot be reached: no answer")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("obstacles")
    void anObstacleIsToldInWords(String words, Obstacle obstacle) {
        assertEquals(words, obstacle.words());
    }

    @Test
    void whatNoWaitingHelpsAgainstIsForGood() {
        List<Obstacle> all = obstacles().map(arguments -> (Obstacle) arguments.get()[1]).toList();
        assertEquals(
                Set.of(
                        new Obstacle.NoQuota("lab"),
                        new Obstacle.QuotaTooSmall("lab", 2_000, 3_000),
                        new Obstacle.TooManyInteractive("lab", 0),
                        new Obstacle.NeverFits("9 GPUs")),
                all.stream().filter(Obstacle::isForGood).collect(Collectors.toSet()));
    }
}
