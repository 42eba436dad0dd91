package fairlead.job;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * One kind of task in a job: how many, what each runs and needs, and when their exits end the
 * attempt.
 *
 * @param command executed as it is, without a shell; empty only where the image's own program runs
 * @param minFailed this many failed tasks of the role fail the attempt at once; empty: never
 * @param minSucceeded this many succeeded tasks of the role end the attempt well at once; empty:
 *     never
 * @param ports that each task gets on its node
 */
public record Role(
        String name,
        int count,
        List<String> command,
        Resources resources,
        OptionalInt minFailed,
        OptionalInt minSucceeded,
        List<Ports> ports) {
    /** The role of a job that has only one. */
    public static final String MAIN = "main";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._~-]{1,63}");

    /** OpenPAI lets a task ask for a thousand, and each has two more. */
    private static final int PORTS_MAX = 1_024;

    /**
     * Ports that a task gets under a name.
     *
     * @param first the first of a range; zero for any that are free
     */
    public record Ports(String label, int first, int count) {
        private static final int NUMBER_MAX = 65_535;

        public Ports {
            SpecException.unless(
                    NAME.matcher(label).matches(),
                    "ports",
                    "have a label of 1 to 63 letters, digits or . _ ~ -, but one is '"
                            + label
                            + "'");
            SpecException.unless(
                    first >= 0
                            && count >= 1
                            && count <= PORTS_MAX
                            && first + count - 1 <= NUMBER_MAX,
                    "ports",
                    "must be 1 to %d numbers up to %d, but '%s' is %d from %d on"
                            .formatted(PORTS_MAX, NUMBER_MAX, label, count, first));
        }

        public boolean isFixed() {
            return first > 0;
        }
    }

    /** Without ports. */
    public Role(
            String name,
            int count,
            List<String> command,
            Resources resources,
            OptionalInt minFailed,
            OptionalInt minSucceeded) {
        this(name, count, command, resources, minFailed, minSucceeded, List.of());
    }

    public Role {
        command = List.copyOf(command);
        ports = List.copyOf(ports);
        resources = resources.withPorts(fixed(ports));
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
        return new Role(name, count, command, other, minFailed, minSucceeded, ports);
    }

    Role times(int tasks) {
        return new Role(name, tasks, command, resources, minFailed, minSucceeded, ports);
    }

    public Role running(List<String> other) {
        return new Role(name, count, other, resources, minFailed, minSucceeded, ports);
    }

    /** With a port of any number under this label, unless it has such a label already. */
    public Role withPort(String label) {
        if (ports.stream().anyMatch(each -> each.label().equals(label))) return this;
        var more = new ArrayList<>(ports);
        more.add(new Ports(label, 0, 1));
        return new Role(name, count, command, resources, minFailed, minSucceeded, more);
    }

    private static List<Integer> fixed(List<Ports> ports) {
        var numbers = new TreeSet<Integer>();
        var labels = new HashSet<String>();
        int sum = 0;
        for (Ports each : ports) {
            SpecException.unless(
                    labels.add(each.label()),
                    "ports",
                    "have the label '" + each.label() + "' twice");
            sum += each.count();
            for (int i = 0; i < each.count() && each.isFixed(); i++) {
                SpecException.unless(
                        numbers.add(each.first() + i),
                        "ports",
                        "have the number " + (each.first() + i) + " twice");
            }
        }
        SpecException.unless(
                sum <= PORTS_MAX, "ports", "are " + sum + " numbers; the limit is " + PORTS_MAX);
        return List.copyOf(numbers);
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
