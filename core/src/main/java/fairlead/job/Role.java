package fairlead.job;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * One kind of task in a job: how many, what each runs and needs, and when their exits end the
 * attempt.
 *
 * @param command executed as it is, without a shell; empty only where the image's own program runs
 * @param minFailed so many failed tasks of this role fail the attempt at once; empty: never
 * @param minSucceeded so many succeeded tasks of this role end the attempt well at once; empty:
 *     never
 */
public record Role(
        String name,
        int count,
        List<String> command,
        Resources resources,
        OptionalInt minFailed,
        OptionalInt minSucceeded) {
    /** The role of a job that has only one. */
    public static final String MAIN = "main";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._~-]{1,63}");

    public Role {
        command = List.copyOf(command);
        SpecException.unless(
                NAME.matcher(name).matches(),
                "name",
                "must be 1 to 63 letters, digits or . _ ~ -, but is '" + name + "'");
        SpecException.unless(
                !name.startsWith("."), "name", "must not start with a dot: '" + name + "'");
        SpecException.unless(
                count >= 1 && count <= Limits.TASKS_PER_JOB_MAX,
                "count",
                "must be 1 to " + Limits.TASKS_PER_JOB_MAX + ", but is " + count);
        SpecException.unless(
                command.isEmpty() || !command.getFirst().isEmpty(), "command", "is empty");
        for (String argument : command) Texts.checkArgument(argument, "command");
        checkThreshold(minFailed, count, "minFailed");
        checkThreshold(minSucceeded, count, "minSucceeded");
    }

    public Role asking(Resources other) {
        return new Role(name, count, command, other, minFailed, minSucceeded);
    }

    Role times(int tasks) {
        return new Role(name, tasks, command, resources, minFailed, minSucceeded);
    }

    public Role running(List<String> other) {
        return new Role(name, count, other, resources, minFailed, minSucceeded);
    }

    private static void checkThreshold(OptionalInt threshold, int count, String field) {
        threshold.ifPresent(
                k ->
                        SpecException.unless(
                                k >= 1 && k <= count,
                                field,
                                "must be 1 to the role's count of " + count + ", but is " + k));
    }
}
