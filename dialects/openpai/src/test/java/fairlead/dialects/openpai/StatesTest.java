package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Optional;

/** Our states in OpenPAI's words: items O48 to O51. */
class StatesTest {
    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvSource({
        "queued,    FRAMEWORK_WAITING,    WAITING",
        "starting,  APPLICATION_LAUNCHED, WAITING",
        "running,   APPLICATION_RUNNING,  RUNNING",
        "stopping,  APPLICATION_RUNNING,  RUNNING",
        "succeeded, FRAMEWORK_COMPLETED,  SUCCEEDED",
        "failed,    FRAMEWORK_COMPLETED,  FAILED",
        "cancelled, FRAMEWORK_COMPLETED,  STOPPED",
    })
    void o48O50OurStatesHaveASubStateAndAState(
            String word, FrameworkState subState, PaiState state) {
        assertEquals(Optional.of(subState), FrameworkState.of(word));
        assertEquals(state, PaiState.of(word));
    }

    @Test
    void o49AWordThatNobodyKnowsIsUnknown() {
        assertEquals(PaiState.UNKNOWN, PaiState.of("dreaming"));
        assertEquals(Optional.empty(), FrameworkState.of("dreaming"));
        assertEquals(Optional.empty(), TaskState.of("dreaming"));
    }

    @ParameterizedTest
    @EnumSource(
            value = FrameworkState.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"APPLICATION_RUNNING", "FRAMEWORK_COMPLETED"})
    void o49EverythingBeforeAndAfterRunningIsWaiting(FrameworkState state) {
        assertEquals(PaiState.WAITING, PaiState.of(state, Optional.empty()));
    }

    @ParameterizedTest
    @EnumSource(ExitStatus.class)
    void o49TheExitTellsHowAJobWasCompleted(ExitStatus end) {
        PaiState expected =
                switch (end.code()) {
                    case 0 -> PaiState.SUCCEEDED;
                    case 214 -> PaiState.STOPPED;
                    default -> PaiState.FAILED;
                };
        assertEquals(expected, PaiState.of(FrameworkState.FRAMEWORK_COMPLETED, Optional.of(end)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "queued,    TASK_WAITING",
        "starting,  CONTAINER_LAUNCHED",
        "running,   CONTAINER_RUNNING",
        "stopping,  CONTAINER_RUNNING",
        "succeeded, TASK_COMPLETED",
        "failed,    TASK_COMPLETED",
        "lost,      TASK_COMPLETED",
        "cancelled, TASK_COMPLETED",
    })
    void o51TasksHaveAState(String word, TaskState state) {
        assertEquals(Optional.of(state), TaskState.of(word));
    }
}
