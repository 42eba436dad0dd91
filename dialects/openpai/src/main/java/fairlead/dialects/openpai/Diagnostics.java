package fairlead.dialects.openpai;

import java.util.Optional;

/**
 * The text of appExitDiagnostics (item O81): what OpenPAI calls the exit, what the last task really
 * exited with, and which rule ended the attempt.
 *
 * @param last the task whose end ended the attempt; none when nothing had run
 * @param reason of {@link CompletionReason}, or in other words why there was no attempt
 */
public record Diagnostics(ExitStatus status, Optional<LastTask> last, String reason) {
    private static final String LINE = "_".repeat(200);

    /**
     * A task that has ended.
     *
     * @param exitCode empty when nobody knows
     * @param note for people; may be empty
     */
    public record LastTask(
            String role,
            int index,
            String containerId,
            String ip,
            Optional<Integer> exitCode,
            String note) {}

    public String text() {
        var text = new StringBuilder();
        text.append("[ExitStatus]: ").append(status.name()).append('\n');
        text.append("[ExitCode]: ").append(status.code()).append('\n');
        text.append("[ExitDiagnostics]:\n").append(status.explanation()).append('\n');
        text.append("[ExitType]: ").append(status.type()).append('\n');
        text.append(LINE).append('\n');
        text.append("[ExitCustomizedDiagnostics]:\n");
        last.ifPresent(task -> append(text, task));
        text.append("[ApplicationCompletionReason]: ").append(reason).append('\n');
        return text.toString();
    }

    private static void append(StringBuilder text, LastTask task) {
        task.exitCode().ifPresent(code -> text.append("[ExitCode]: ").append(code).append('\n'));
        if (!task.note().isEmpty()) {
            text.append("[ExitDiagnostics]:\n").append(task.note()).append('\n');
        }
        text.append(LINE).append('\n');
        text.append('[').append(task.role()).append("]: [LastCompletedTask]: [TaskStatus]:\n");
        text.append("taskIndex: ").append(task.index()).append('\n');
        text.append("containerId: ").append(task.containerId()).append('\n');
        text.append("containerIp: ").append(task.ip()).append('\n');
        text.append(LINE).append('\n');
    }
}
