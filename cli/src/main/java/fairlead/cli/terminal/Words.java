package fairlead.cli.terminal;

import fairlead.api.JobBody;
import fairlead.api.spec.CommandAdapter;
import fairlead.api.words.Amounts;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Numbers, times and states as people read them. */
public final class Words {
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    /** As the server writes them. */
    private static final Pattern TIME =
            Pattern.compile("\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z");

    private Words() {}

    /** Whole units, the largest that fits: {@code 42s}, {@code 3m}, {@code 2h}, {@code 5d}. */
    public static String age(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) return seconds + "s";
        if (seconds < 3_600) return seconds / 60 + "m";
        if (seconds < 2 * 86_400) return seconds / 3_600 + "h";
        return seconds / 86_400 + "d";
    }

    /** The age of an ISO time, or a dash where there is none. */
    public static String age(String time, Instant now) {
        return time == null ? "-" : age(Duration.between(instant(time), now));
    }

    /** How long the last attempt has run, or a dash. */
    public static String running(JobBody job, Instant now) {
        return job.started() == null ? "-" : age(runningFor(job, now));
    }

    /** How long its last attempt has run, or ran; zero before the first. */
    public static Duration runningFor(JobBody job, Instant now) {
        if (job.started() == null) return Duration.ZERO;
        Instant end = job.finished() == null ? now : instant(job.finished());
        return Duration.between(instant(job.started()), end);
    }

    /** A time as people read it: on their own clock, and nobody needs the nanoseconds. */
    public static String time(String time, ZoneId zone) {
        return LOCAL.format(instant(time).atZone(zone));
    }

    /** A sentence of the server's, with the times in it as people read them. */
    public static String localTimes(String text, ZoneId zone) {
        return TIME.matcher(text).replaceAll(found -> time(found.group(), zone));
    }

    public static Instant instant(String time) {
        return Instant.parse(time);
    }

    /** The state, and the code of a failed job. */
    public static String state(JobBody job) {
        boolean hasCode = job.state().equals("failed") && job.exitCode() != null;
        return hasCode ? "failed (" + job.exitCode() + ")" : state(job.state());
    }

    private static final String CANCELLED = "cancelled";
    private static final String ABORTED = "aborted";

    /** The word for people: who aborts a job has an aborted one. Programs read "cancelled". */
    public static String state(String state) {
        return state.equals(CANCELLED) ? ABORTED : state;
    }

    /** The state after a job's name: {@code is queued}, {@code has failed}. */
    public static String standing(String state) {
        boolean hasEnded = state.equals("succeeded") || state.equals("failed");
        return (hasEnded ? "has " : "is ") + state(state);
    }

    /** The word that a server knows for it. */
    public static String stateOnTheWire(String state) {
        return state.equals(ABORTED) ? CANCELLED : state;
    }

    /**
     * When a waiting job will start, with the band: {@code ~12m (8m-25m)}; a dash where nobody can
     * say.
     */
    public static String start(String expected, String earliest, String latest, Instant now) {
        if (expected == null) return "-";
        String first = until(earliest, now);
        String last = until(latest, now);
        String band = first.equals(last) ? "" : " (" + first + "-" + last + ")";
        return "~" + until(expected, now) + band;
    }

    /** How long it takes until then, such as {@code 3m20s}: fine enough to see it pass. */
    public static String countdown(String time, Instant now) {
        long seconds = Math.max(0, Duration.between(now, instant(time)).toSeconds());
        if (seconds < 60) return seconds + "s";
        if (seconds < 3_600) return seconds / 60 + "m" + seconds % 60 + "s";
        if (seconds < 2 * 86_400) return seconds / 3_600 + "h" + seconds % 3_600 / 60 + "m";
        return seconds / 86_400 + "d";
    }

    private static String until(String time, Instant now) {
        return age(Duration.between(now, instant(time)));
    }

    /** How many GPUs: {@code 2}, {@code 0.5}, {@code 4x8G}. */
    public static String gpus(JobBody job) {
        if (job.gpuPart() == null) return String.valueOf(job.gpus());
        return job.gpus() == 1 ? job.gpuPart() : job.gpus() + "x" + job.gpuPart();
    }

    /** Without decimals where there are none. */
    public static String number(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }

    public static String count(double number, String noun) {
        return number(number) + " " + noun + (number == 1 ? "" : "s");
    }

    public static boolean isOver(String state) {
        return switch (state) {
            case "succeeded", "failed", "cancelled" -> true;
            default -> false;
        };
    }

    public static String bytes(long bytes) {
        if (bytes < 1L << 20) return bytes / 1_024 + " KiB";
        if (bytes < 1L << 30) return (bytes >> 20) + " MiB";
        return (bytes >> 30) + " GiB";
    }

    /** In the unit that fits, with one decimal where it says something: {@code 5.2G}. */
    public static String size(long bytes) {
        if (bytes < 1L << 30) return (bytes >> 20) + "M";
        return number(Math.round(10.0 * bytes / (1L << 30)) / 10.0) + "G";
    }

    /**
     * With as many digits as a measurement deserves: {@code 0.0123}, {@code 1.89}, {@code 3671}.
     */
    public static String significant(double number) {
        if (!(number > 0) || Double.isInfinite(number)) return "-";
        var exact = new BigDecimal(number);
        var rounded =
                number < 1
                        ? exact.round(new MathContext(3))
                        : exact.setScale(number < 1_000 ? 2 : 0, RoundingMode.HALF_UP);
        return rounded.stripTrailingZeros().toPlainString();
    }

    /** Two units, the largest that fit: {@code 45s}, {@code 2m 10s}, {@code 3h 5m}. */
    public static String span(double seconds) {
        long whole = Math.round(seconds);
        if (whole < 1) return "less than 1s";
        if (whole < 60) return whole + "s";
        if (whole < 3_600) return whole / 60 + "m " + whole % 60 + "s";
        if (whole < 86_400) return whole / 3_600 + "h " + whole % 3_600 / 60 + "m";
        return whole / 86_400 + "d " + whole % 86_400 / 3_600 + "h";
    }

    /** How far a training job is: {@code 7/20}; a dash for all others. */
    public static String epochs(JobBody job) {
        if (job.epochs() == null) return "-";
        return (job.epochsDone() == null ? 0 : job.epochsDone()) + "/" + job.epochs();
    }

    /** A command line for people; quotes show where an argument with blanks begins and ends. */
    public static String command(List<String> command) {
        if (CommandAdapter.isShell(command)) return command.getLast();
        var line = new StringBuilder();
        for (String argument : command) {
            if (!line.isEmpty()) line.append(' ');
            boolean simple = !argument.isEmpty() && argument.matches("[\\w@%+=:,./{}-]+");
            line.append(simple ? argument : "'" + argument.replace("'", "'\\''") + "'");
        }
        return line.toString();
    }

    /** A time as in a spec, in letters of either case, or seconds without a unit. */
    public static Duration duration(String text) throws UsageException {
        boolean isNumber = text.matches("\\d{1,9}");
        try {
            return Amounts.duration(isNumber ? text + "s" : text.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException _) {
            throw new UsageException("not a time such as 90s, 30m, 4h or 2d: '" + text + "'");
        }
    }

    /** Refuses words of a command that would reach a job as other bytes. */
    public static void refuseBroken(List<String> words) throws UsageException {
        for (int i = 0; i < words.size(); i++) {
            // The Java runtime puts this character where the bytes were not UTF-8.
            if (words.get(i).indexOf('\uFFFD') >= 0) {
                throw new UsageException("word " + (i + 1) + " of the command is not valid UTF-8");
            }
        }
    }
}
