package fairlead.cli.verb;

import fairlead.api.TaskBody;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.Words;

import java.util.ArrayList;
import java.util.List;

/** The tasks of a job for people: where each runs, what it has there, and how it ended. */
final class TaskTable {
    private TaskTable() {}

    /** Nothing for a job that has none. */
    static String of(List<TaskBody> tasks, Paint paint) {
        if (tasks == null || tasks.isEmpty()) return "";
        boolean hasPorts = tasks.stream().anyMatch(task -> task.ports() != null);
        var table =
                hasPorts
                        ? new Table().row("TASK", "STATE", "NODE", "GPUS", "PORTS", "EXIT", "NOTE")
                        : new Table().row("TASK", "STATE", "NODE", "GPUS", "EXIT", "NOTE");
        for (TaskBody task : tasks) {
            List<Integer> gpus = task.gpus() == null ? List.of() : task.gpus();
            String ids = String.join(",", gpus.stream().map(String::valueOf).toList());
            var cells = new ArrayList<String>();
            cells.add(task.task());
            cells.add(paint.state(task.state(), task.state()));
            cells.add(task.node() == null ? "-" : task.node());
            cells.add(ids.isEmpty() ? "-" : ids + part(task));
            if (hasPorts) cells.add(ports(task));
            cells.add(task.exitCode() == null ? "-" : task.exitCode().toString());
            cells.add(task.note() == null ? "" : task.note());
            table.row(cells.toArray(String[]::new));
        }
        return table.text();
    }

    /** {@code http:8000 data:7000,7001}. */
    private static String ports(TaskBody task) {
        if (task.ports() == null) return "-";
        var labels = new ArrayList<String>();
        task.ports()
                .forEach(
                        (label, numbers) ->
                                labels.add(
                                        label
                                                + ":"
                                                + String.join(
                                                        ",",
                                                        numbers.stream()
                                                                .map(String::valueOf)
                                                                .toList())));
        return String.join(" ", labels);
    }

    /** How much of its GPU a task has. */
    private static String part(TaskBody task) {
        if (task.gpuMemoryBytes() != null) return " (" + Words.bytes(task.gpuMemoryBytes()) + ")";
        if (task.gpuThousandths() != null)
            return " (" + Words.number(task.gpuThousandths() / 1000.0) + ")";
        return "";
    }
}
