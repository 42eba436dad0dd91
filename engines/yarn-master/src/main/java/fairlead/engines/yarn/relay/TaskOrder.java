package fairlead.engines.yarn.relay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One task as the server has ordered it.
 *
 * @param name role and index, such as {@code worker/0}
 * @param node as YARN's scheduler names it
 * @param memoryMegabytes that its container has, the keeper's own included
 * @param gpus how many of {@code yarn.io/gpu}
 * @param command executed as it is, without a shell
 * @param environment all that the task finds beside the node's own
 * @param folder where it begins; empty for its container's own
 * @param setting variables of its container that choose YARN's runtime, such as Docker
 */
public record TaskOrder(
        String name,
        String node,
        int memoryMegabytes,
        int cpus,
        int gpus,
        List<String> command,
        Map<String, String> environment,
        String folder,
        Map<String, String> setting) {
    public TaskOrder inOwnFolder() {
        return new TaskOrder(
                name, node, memoryMegabytes, cpus, gpus, command, environment, "", setting);
    }

    public void write(DataOutputStream out) throws IOException {
        Fields.write(out, name);
        Fields.write(out, node);
        out.writeInt(memoryMegabytes);
        out.writeInt(cpus);
        out.writeInt(gpus);
        Fields.write(out, command);
        Fields.write(out, environment);
        Fields.write(out, folder);
        Fields.write(out, setting);
    }

    public static TaskOrder read(DataInputStream in) throws IOException {
        return new TaskOrder(
                Fields.text(in),
                Fields.text(in),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                Fields.texts(in),
                Fields.map(in),
                Fields.text(in),
                Fields.map(in));
    }
}
