package fairlead.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells, printed in columns as wide as their content, two spaces apart. */
public final class Table {
    private final List<String[]> rows = new ArrayList<>();
    private int columns;

    public Table row(String... cells) {
        rows.add(cells);
        columns = Math.max(columns, cells.length);
        return this;
    }

    public String text() {
        int[] widths = new int[columns];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], Paint.width(row[i]));
            }
        }
        var text = new StringBuilder();
        for (String[] row : rows) {
            int start = text.length();
            for (int i = 0; i < row.length; i++) {
                text.append(row[i]);
                text.repeat(' ', widths[i] - Paint.width(row[i]) + 2);
            }
            int end = text.length();
            while (end > start && text.charAt(end - 1) == ' ') end--;
            text.setLength(end);
            text.append('\n');
        }
        return text.toString();
    }
}
