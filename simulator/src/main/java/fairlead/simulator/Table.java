package fairlead.simulator;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A CSV file with a header, read as a whole. Every complaint names the file, the line and the
 * column. Fields in quotes are not understood, and refused.
 */
final class Table {
    /** Well below what a controller takes at once, and the file is read into memory. */
    private static final int ROWS_MAX = 100_000;

    /** About thirty years: beyond it a number is a mistake in its unit. */
    private static final double SECONDS_MAX = 1e9;

    /** No training step is shorter than a microsecond. */
    private static final double PER_SECOND_MAX = 1e6;

    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.eE+-]{0,30}");
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private final Path file;
    private final Map<String, Integer> columns = new HashMap<>();
    private final List<Row> rows = new ArrayList<>();

    /** One line below the header. */
    final class Row {
        private final int line;
        private final String[] fields;

        private Row(int line, String[] fields) {
            this.line = line;
            this.fields = fields;
        }

        String text(String column) throws TraceException {
            String text = fields[columns.get(column)];
            if (text.isEmpty()) throw bad(column, "is empty");
            return text;
        }

        int count(String column, int max) throws TraceException {
            String text = text(column);
            if (text.matches("[0-9]{1,9}")) {
                int count = Integer.parseInt(text);
                if (count >= 1 && count <= max) return count;
            }
            throw bad(
                    column, "must be a whole number from 1 to " + max + ", but is '" + text + "'");
        }

        /** A number of seconds, not negative. */
        Duration seconds(String column) throws TraceException {
            return duration(number(column, "seconds", SECONDS_MAX));
        }

        /** How often in a second, not negative. */
        double perSecond(String column) throws TraceException {
            return number(column, "times per second", PER_SECOND_MAX);
        }

        private double number(String column, String unit, double max) throws TraceException {
            String text = text(column);
            if (NUMBER.matcher(text).matches()) {
                try {
                    double number = Double.parseDouble(text);
                    if (number <= max) return number;
                } catch (NumberFormatException _) {
                    // Such as 1.2.3: said below like every other text that is no number.
                }
            }
            throw bad(
                    column,
                    "must be a number of %s from 0 to %,.0f, but is '%s'"
                            .formatted(unit, max, text));
        }

        /** A number of seconds, more than none. */
        Duration positiveSeconds(String column) throws TraceException {
            Duration seconds = seconds(column);
            if (seconds.isZero()) throw bad(column, "must be more than 0 seconds");
            return seconds;
        }

        TraceException bad(String column, String problem) {
            int number = columns.get(column) + 1;
            return new TraceException(
                    file
                            + ", line "
                            + line
                            + ", column "
                            + number
                            + " ("
                            + column
                            + "): "
                            + problem);
        }
    }

    /**
     * @param required columns that the header must have; it may have others
     */
    Table(Path file, List<String> required) throws TraceException {
        this.file = file;
        List<String> lines = lines(file);
        if (lines.isEmpty()) throw new TraceException(file + " is empty");
        String[] header = fields(lines.getFirst(), 1);
        for (int i = 0; i < header.length; i++) {
            if (columns.putIfAbsent(header[i], i) != null) {
                throw new TraceException(
                        file + ", line 1, column " + (i + 1) + ": a second " + header[i]);
            }
        }
        for (String column : required) {
            if (!columns.containsKey(column)) {
                throw new TraceException(
                        file
                                + ", line 1: no column "
                                + column
                                + "; there are "
                                + String.join(", ", header));
            }
        }
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) continue;
            String[] fields = fields(lines.get(i), i + 1);
            if (fields.length != header.length) {
                throw new TraceException(
                        file
                                + ", line "
                                + (i + 1)
                                + ", column "
                                + (Math.min(fields.length, header.length) + 1)
                                + ": "
                                + fields.length
                                + " columns, but the header has "
                                + header.length);
            }
            if (rows.size() == ROWS_MAX) {
                throw new TraceException(
                        file + ", line " + (i + 1) + ": more than " + ROWS_MAX + " rows");
            }
            rows.add(new Row(i + 1, fields));
        }
    }

    boolean has(String column) {
        return columns.containsKey(column);
    }

    List<Row> rows() {
        return rows;
    }

    private String[] fields(String line, int number) throws TraceException {
        int quote = line.indexOf('"');
        if (quote >= 0) {
            long column = line.substring(0, quote).chars().filter(c -> c == ',').count() + 1;
            throw new TraceException(
                    file
                            + ", line "
                            + number
                            + ", column "
                            + column
                            + ": quotes are not understood");
        }
        String[] fields = line.split(",", -1);
        for (int i = 0; i < fields.length; i++) fields[i] = fields[i].strip();
        return fields;
    }

    private static List<String> lines(Path file) throws TraceException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException missing) {
            throw new TraceException("no file " + file);
        } catch (CharacterCodingException binary) {
            throw new TraceException(file + " is not text in UTF-8");
        } catch (IOException failure) {
            throw new TraceException("cannot read " + file + ": " + failure.getMessage());
        }
    }

    static double seconds(Duration duration) {
        return duration.toSeconds() + duration.toNanosPart() / (double) NANOS_PER_SECOND;
    }

    static Duration duration(double seconds) {
        long whole = (long) seconds;
        return Duration.ofSeconds(whole, Math.round((seconds - whole) * NANOS_PER_SECOND));
    }
}
