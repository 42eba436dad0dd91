package fairlead.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * One metric that a job's script has reported, such as its loss, over its steps. However many
 * points are reported, at most {@link #POINTS_MAX} are kept: every one at first, then every second,
 * every fourth, and so on, evenly over all of them, and always the newest.
 *
 * @param seen how many points were reported
 * @param stride how many of them one point stands for
 * @param points oldest first; the last may be beside the stride
 */
public record MetricSeries(String name, long seen, int stride, List<Point> points) {
    /** As many as a plot has pixels. */
    public static final int POINTS_MAX = 1_000;

    public static final int NAME_CHARS_MAX = 100;

    /** How many a job may have; more say nothing to anybody. */
    public static final int SERIES_MAX = 50;

    /**
     * @param epoch NaN where the script does not say it
     * @param atMillis when it was reported
     */
    public record Point(long step, double epoch, long atMillis, double value) {}

    public MetricSeries {
        points = List.copyOf(points);
    }

    public static MetricSeries empty(String name) {
        return new MetricSeries(name, 0, 1, List.of());
    }

    /** With one more point after all others. */
    public MetricSeries with(Point point) {
        var more = new ArrayList<>(points);
        // The newest stood for itself alone, unless its number is one of the stride.
        if (!more.isEmpty() && (seen - 1) % stride != 0) more.removeLast();
        more.add(point);
        var next = new MetricSeries(name, seen + 1, stride, more);
        return more.size() > POINTS_MAX ? next.thinned() : next;
    }

    private MetricSeries thinned() {
        var kept = new ArrayList<Point>();
        for (int i = 0; i < points.size(); i += 2) kept.add(points.get(i));
        boolean hasLast = (points.size() - 1) % 2 == 0;
        if (!hasLast) kept.add(points.getLast());
        return new MetricSeries(name, seen, stride * 2, kept);
    }

    /** As a journal keeps it, one point in a line. */
    public String text() {
        var text = new StringBuilder().append(seen).append(' ').append(stride);
        for (Point point : points)
            text.append('\n')
                    .append(point.step)
                    .append(' ')
                    .append(point.epoch)
                    .append(' ')
                    .append(point.atMillis)
                    .append(' ')
                    .append(point.value);
        return text.toString();
    }

    /** What {@link #text} has written. */
    public static MetricSeries read(String name, String text) {
        String[] lines = text.split("\n");
        String[] head = lines[0].split(" ");
        var points = new ArrayList<Point>();
        for (int i = 1; i < lines.length; i++) {
            String[] parts = lines[i].split(" ");
            points.add(
                    new Point(
                            Long.parseLong(parts[0]),
                            Double.parseDouble(parts[1]),
                            Long.parseLong(parts[2]),
                            Double.parseDouble(parts[3])));
        }
        return new MetricSeries(name, Long.parseLong(head[0]), Integer.parseInt(head[1]), points);
    }
}
