package fairlead.cli.act.verb;

import fairlead.cli.terminal.Table;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Several jobs as ACT shows them: what is the same for all of them once, and then a line for each
 * with the rest.
 */
final class ActTable {
    private static final List<String> COLUMNS =
            List.of(
                    "cluster",
                    "status",
                    "appID-s",
                    "result",
                    "elapsedTime",
                    "elapsedFinished",
                    "mem_used",
                    "gpu_util",
                    "speed",
                    "left",
                    "data",
                    "net",
                    "expid",
                    "num_gpu");

    private ActTable() {}

    /** Columns in which no job has anything are left out. */
    static String of(List<ActFacts> jobs) {
        var same = new ArrayList<String>();
        var different = new ArrayList<String>();
        for (String column : COLUMNS) {
            var values = new LinkedHashSet<String>();
            for (ActFacts job : jobs) values.add(job.cell(column));
            if (values.size() == 1 && values.contains("-")) continue;
            if (values.size() > 1 || jobs.size() == 1) different.add(column);
            else same.add(column);
        }
        String text = "";
        if (!same.isEmpty()) text = table(same, jobs.subList(0, 1)) + "\n";
        return text + table(different, jobs);
    }

    private static String table(List<String> columns, List<ActFacts> jobs) {
        var table = new Table().row(columns.toArray(String[]::new));
        for (ActFacts job : jobs) {
            var cells = new ArrayList<String>();
            for (String column : columns) cells.add(job.cell(column));
            table.row(cells.toArray(String[]::new));
        }
        return table.text();
    }
}
