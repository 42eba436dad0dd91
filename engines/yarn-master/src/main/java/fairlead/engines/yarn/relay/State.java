package fairlead.engines.yarn.relay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How far an application has come, as its master reports it and keeps it in the application's
 * folder.
 *
 * @param version counts the changes
 * @param stopAtMillis when a stop becomes one by force; zero while nobody has asked for a stop
 * @param trouble why tasks have not begun; may be empty
 * @param tasks by rank
 */
public record State(long version, long stopAtMillis, String trouble, List<TaskState> tasks) {
    /** The name of the file. */
    public static final String FILE = "state";

    public State {
        tasks = List.copyOf(tasks);
    }

    public boolean isStopping() {
        return stopAtMillis > 0;
    }

    public boolean allEnded() {
        return tasks.stream().allMatch(task -> task.end().isPresent());
    }

    public void write(DataOutputStream out) throws IOException {
        out.writeLong(version);
        out.writeLong(stopAtMillis);
        Fields.write(out, trouble);
        out.writeInt(tasks.size());
        for (TaskState task : tasks) task.write(out);
    }

    public static State read(DataInputStream in) throws IOException {
        long version = in.readLong();
        long stopAt = in.readLong();
        String trouble = Fields.text(in);
        int count = Fields.count(in);
        var tasks = new ArrayList<TaskState>();
        for (int i = 0; i < count; i++) tasks.add(TaskState.read(in));
        return new State(version, stopAt, trouble, tasks);
    }
}
