package fairlead.engines.yarn.relay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * How far one task has come.
 *
 * @param container its id; empty before it has one
 * @param host where it runs; empty before
 * @param keeperPort of the keeper on that host; zero before it has begun
 * @param end empty until it has ended
 */
public record TaskState(String container, String host, int keeperPort, Optional<TaskEnd> end) {
    public static final TaskState NEW = new TaskState("", "", 0, Optional.empty());

    public boolean hasBegun() {
        return keeperPort > 0;
    }

    public TaskState in(String otherContainer, String otherHost) {
        return new TaskState(otherContainer, otherHost, 0, Optional.empty());
    }

    public TaskState begun(int port) {
        return new TaskState(container, host, port, end);
    }

    public TaskState ended(TaskEnd how) {
        return new TaskState(container, host, keeperPort, Optional.of(how));
    }

    void write(DataOutputStream out) throws IOException {
        Fields.write(out, container);
        Fields.write(out, host);
        out.writeInt(keeperPort);
        out.writeBoolean(end.isPresent());
        if (end.isPresent()) end.get().write(out);
    }

    static TaskState read(DataInputStream in) throws IOException {
        return new TaskState(
                Fields.text(in),
                Fields.text(in),
                in.readInt(),
                in.readBoolean() ? Optional.of(TaskEnd.read(in)) : Optional.empty());
    }
}
