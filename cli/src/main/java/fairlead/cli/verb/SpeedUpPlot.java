package fairlead.cli.verb;

import fairlead.api.SpeedBody;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Terminal;
import fairlead.cli.terminal.TerminalWidth;
import fairlead.cli.terminal.Words;

import java.util.Arrays;
import java.util.List;

/** Speed-up against GPUs as bars of plain characters, each with a mark where it would be ideal. */
final class SpeedUpPlot {
    private static final char BAR = '#';
    private static final char IDEAL = '|';

    /** Bars shorter than this show nothing, so a narrower terminal has to wrap its lines. */
    private static final int BAR_CHARACTERS_LEAST = 10;

    /** Room for the number behind a bar, such as {@code 12.3}. */
    private static final int NUMBER_CHARACTERS = 6;

    private final List<SpeedBody> rows;
    private final Paint paint;
    private final int labelWidth;
    private final int barWidth;
    private final double most;

    private SpeedUpPlot(List<SpeedBody> rows, Terminal terminal) {
        this.rows = rows;
        this.paint = new Paint(terminal.colour());
        labelWidth = rows.stream().mapToInt(row -> label(row).length()).max().orElse(0);
        int left = TerminalWidth.of(terminal) - labelWidth - 2 - NUMBER_CHARACTERS;
        barWidth = Math.max(BAR_CHARACTERS_LEAST, left);
        most =
                rows.stream()
                        .mapToDouble(row -> Math.max(row.speedUp(), proportion(row)))
                        .max()
                        .orElse(1);
    }

    static String of(List<SpeedBody> rows, Terminal terminal) {
        return new SpeedUpPlot(rows, terminal).text();
    }

    /** What the speed-up would be if each GPU helped as much as those of the first row. */
    static double proportion(SpeedBody row, SpeedBody first) {
        return Math.max(1, row.gpus()) / (double) Math.max(1, first.gpus());
    }

    private double proportion(SpeedBody row) {
        return proportion(row, rows.getFirst());
    }

    private String text() {
        var text = new StringBuilder("Speed-up by GPUs; " + IDEAL + " is in proportion to them\n");
        for (SpeedBody row : rows) {
            String label = label(row);
            text.append(label).repeat(' ', labelWidth - label.length() + 2);
            text.append(paint.bar(bar(row))).append("  ");
            text.append(Words.significant(row.speedUp())).append('\n');
        }
        return text.toString();
    }

    private static String label(SpeedBody row) {
        String label = row.gpus() + (row.gpus() == 1 ? " GPU" : " GPUs");
        if (row.shared()) label += ", shared";
        return row.nodes() > 1 ? label + " on " + row.nodes() + " nodes" : label;
    }

    private String bar(SpeedBody row) {
        int length = characters(row.speedUp());
        int ideal = characters(proportion(row));
        var bar = new char[Math.max(length, ideal)];
        Arrays.fill(bar, ' ');
        Arrays.fill(bar, 0, length, BAR);
        bar[ideal - 1] = IDEAL;
        return new String(bar);
    }

    private int characters(double speedUp) {
        return Math.clamp(Math.round(barWidth * speedUp / most), 1, barWidth);
    }
}
