package fairlead.job;

import java.util.Comparator;

/** One task of a job: role and index, written {@code worker/0}. */
public record TaskId(String role, int index) implements Comparable<TaskId> {
    private static final Comparator<TaskId> ORDER =
            Comparator.comparing(TaskId::role).thenComparingInt(TaskId::index);

    public TaskId {
        if (index < 0) throw new IllegalArgumentException("task index is negative: " + index);
    }

    /** Reads {@code worker/0}. */
    public static TaskId parse(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 1 || !text.substring(slash + 1).matches("\\d{1,6}")) {
            throw new IllegalArgumentException("not a task, expected ROLE/INDEX: " + text);
        }
        return new TaskId(text.substring(0, slash), Integer.parseInt(text.substring(slash + 1)));
    }

    @Override
    public int compareTo(TaskId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return role + "/" + index;
    }
}
