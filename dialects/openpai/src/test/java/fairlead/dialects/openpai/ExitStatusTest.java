package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class ExitStatusTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "0,   SUCCEEDED,        0",
        "205, TRANSIENT_NORMAL, 205",
        "137, TRANSIENT_NORMAL, 137",
        "143, TRANSIENT_NORMAL, 143",
        "154, TRANSIENT_NORMAL, 154",
        "206, NON_TRANSIENT,    206",
        // Every other code is the command's own affair.
        "1,   UNKNOWN,          177",
        "134, UNKNOWN,          177",
        "177, UNKNOWN,          177",
        "196, UNKNOWN,          177",
        "214, UNKNOWN,          177",
        "255, UNKNOWN,          177",
    })
    void o40ExitCodesHaveAType(int code, ExitType type, int told) {
        var status = ExitStatus.of(new Ending.Exited(code));
        assertEquals(type, status.type());
        assertEquals(told, status.code());
    }

    static Stream<Object[]> otherEndings() {
        return Stream.of(
                new Object[] {new Ending.Lost(), ExitType.TRANSIENT_NORMAL, -100},
                new Object[] {new Ending.Preempted(), ExitType.TRANSIENT_NORMAL, -102},
                new Object[] {new Ending.PortTaken(), ExitType.TRANSIENT_NORMAL, -210},
                new Object[] {new Ending.GangTimedOut(), ExitType.TRANSIENT_CONFLICT, 215},
                new Object[] {new Ending.MemoryExceeded(), ExitType.NON_TRANSIENT, -104},
                new Object[] {new Ending.StopRequested(), ExitType.NON_TRANSIENT, 214});
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("otherEndings")
    void o40OtherEndingsHaveAType(Ending ending, ExitType type, int told) {
        assertEquals(type, ExitStatus.of(ending).type());
        assertEquals(told, ExitStatus.of(ending).code());
    }

    @Test
    void o40TheCodesOfCommandsAreOneTable() {
        var expected =
                Map.of(
                        137, ExitType.TRANSIENT_NORMAL,
                        143, ExitType.TRANSIENT_NORMAL,
                        154, ExitType.TRANSIENT_NORMAL,
                        205, ExitType.TRANSIENT_NORMAL,
                        206, ExitType.NON_TRANSIENT);
        assertEquals(expected, ExitStatus.userFailures());
        IntStream.range(1, 256)
                .forEach(
                        code ->
                                assertEquals(
                                        expected.getOrDefault(code, ExitType.UNKNOWN),
                                        ExitStatus.of(new Ending.Exited(code)).type()));
    }

    @Test
    void o45AReasonNamesTheRoleAndItsCounts() {
        assertEquals(
                "[worker]: FailedTaskCount 2 has reached MinFailedTaskCount 2.",
                CompletionReason.failed("worker", 2, 2));
        assertEquals(
                "[worker]: SucceededTaskCount 3 has reached MinSucceededTaskCount 2.",
                CompletionReason.succeeded("worker", 3, 2));
    }

    @Test
    void o44WhenNoRuleFiredTheReasonSaysSo() {
        assertEquals(
                "All Tasks completed and no ApplicationCompletionPolicy has ever been triggered:"
                        + " TotalTaskCount: 3, FailedTaskCount: 1.",
                CompletionReason.allCompleted(3, 1));
    }

    @Test
    void o81DiagnosticsTellStatusLastTaskAndReason() {
        String line = "_".repeat(200) + "\n";
        assertEquals(
                """
                [ExitStatus]: LAUNCHER_EXIT_STATUS_UNDEFINED
                [ExitCode]: 177
                [ExitDiagnostics]:
                ExitStatus undefined in Launcher, maybe UserApplication itself failed.
                [ExitType]: UNKNOWN
                """
                        + line
                        + """
                        [ExitCustomizedDiagnostics]:
                        [ExitCode]: 134
                        [ExitDiagnostics]:
                        killed by SIGABRT
                        """
                        + line
                        + """
                        [worker]: [LastCompletedTask]: [TaskStatus]:
                        taskIndex: 1
                        containerId: container_1
                        containerIp: 10.0.0.1
                        """
                        + line
                        + """
                        [ApplicationCompletionReason]: [worker]: FailedTaskCount 1 has reached \
                        MinFailedTaskCount 1.
                        """,
                new Diagnostics(
                                ExitStatus.of(new Ending.Exited(134)),
                                Optional.of(
                                        new Diagnostics.LastTask(
                                                "worker",
                                                1,
                                                "container_1",
                                                "10.0.0.1",
                                                Optional.of(134),
                                                "killed by SIGABRT")),
                                CompletionReason.failed("worker", 1, 1))
                        .text());
    }

    @Test
    void o81AJobThatNeverRanHasNoLastTask() {
        String text =
                new Diagnostics(
                                ExitStatus.of(new Ending.StopRequested()),
                                Optional.empty(),
                                "cancelled by ann")
                        .text();
        assertEquals(
                "[ExitStatus]: LAUNCHER_STOP_FRAMEWORK_REQUESTED", text.lines().findFirst().get());
        assertEquals(
                "[ApplicationCompletionReason]: cancelled by ann", text.lines().toList().getLast());
    }
}
