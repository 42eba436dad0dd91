package fairlead.job;

import java.time.Duration;
import java.util.Collections;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who pays: a group of people with a number of GPUs that are theirs whenever they want them.
 *
 * @param quota GPUs guaranteed; empty when nobody has set one
 * @param members who may submit to it; empty: everyone
 * @param interactiveMax how many interactive jobs may run at once; empty: as many as the quota
 *     holds
 * @param interactiveLimit how long an interactive job may run
 * @param stopped takes no new jobs; those that it has go on
 */
public record Project(
        String name,
        OptionalInt quota,
        Set<String> members,
        OptionalInt interactiveMax,
        Duration interactiveLimit,
        boolean stopped) {
    /** What jobs belong to that name no other. It exists always. */
    public static final String DEFAULT = "default";

    /** A working day and a half: long enough for a notebook, short enough to be given back. */
    public static final Duration INTERACTIVE_LIMIT = Duration.ofHours(12);

    private static final int QUOTA_MAX = 1_000_000;

    public Project {
        members = Collections.unmodifiableSet(new TreeSet<>(members));
        SpecException.unless(
                JobSpec.NAME.matcher(name).matches(),
                "name",
                "is not a project's name: '" + name + "'");
        quota.ifPresent(
                gpus ->
                        SpecException.unless(
                                gpus >= 1 && gpus <= QUOTA_MAX,
                                "quota",
                                "must be 1 to " + QUOTA_MAX + " GPUs, but is " + gpus));
        interactiveMax.ifPresent(
                jobs ->
                        SpecException.unless(
                                jobs >= 0, "interactiveMax", "must not be negative: " + jobs));
        SpecException.unless(interactiveLimit.isPositive(), "interactiveLimit", "must be positive");
    }

    /** One that takes jobs. */
    public Project(
            String name,
            OptionalInt quota,
            Set<String> members,
            OptionalInt interactiveMax,
            Duration interactiveLimit) {
        this(name, quota, members, interactiveMax, interactiveLimit, false);
    }

    public static Project named(String name) {
        return new Project(
                name, OptionalInt.empty(), Set.of(), OptionalInt.empty(), INTERACTIVE_LIMIT);
    }

    public Project withQuota(OptionalInt gpus) {
        return new Project(name, gpus, members, interactiveMax, interactiveLimit, stopped);
    }

    public Project withMembers(Set<String> others) {
        return new Project(name, quota, others, interactiveMax, interactiveLimit, stopped);
    }

    public Project withStopped(boolean isStopped) {
        return new Project(name, quota, members, interactiveMax, interactiveLimit, isStopped);
    }

    public boolean admits(String user) {
        return members.isEmpty() || members.contains(user);
    }
}
