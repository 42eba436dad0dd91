package fairlead.dialects.openpai;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How much room the variables of a task take at most. Every task gets every port of every other
 * one, so a job of thousands of tasks could otherwise be taken and then never start.
 */
final class VariablesSize {
    /** Half of Linux' usual limit for arguments and variables together. */
    static final int BYTES_MAX = 1024 * 1024;

    /** An IPv6 address, a colon, a port and a comma. */
    private static final int HOST_BYTES = 39 + 1 + 5 + 1;

    /** A port and a comma. */
    private static final int PORT_BYTES = 6;

    /** The digits of an index, and all that is not a name or a value in a variable. */
    private static final int FRAME_BYTES = 48;

    /** The variables whose size does not grow with the job, three addresses among them. */
    private static final int REST_BYTES = 32 * 1024;

    private VariablesSize() {}

    static void check(PaiJob job) throws Invalid {
        long shared = REST_BYTES;
        for (var env : job.jobEnvs().entrySet()) {
            int bytes = bytes(env.getKey()) + bytes(env.getValue()) + 2;
            if (bytes > JobSchema.ARGUMENT_BYTES_MAX) {
                throw Invalid.field(Invalid.shown(env.getKey()), "is too long for a variable")
                        .inChild("jobEnvs");
            }
            shared += bytes;
        }
        for (int i = 0; i < job.taskRoles().size(); i++) {
            PaiTaskRole role = job.taskRoles().get(i);
            long hosts = (long) role.taskNumber() * HOST_BYTES;
            if (hosts + role.name().length() + FRAME_BYTES > JobSchema.ARGUMENT_BYTES_MAX) {
                throw Invalid.at(
                        List.of("taskRoles", i, "taskNumber"),
                        "PAI_TASK_ROLE_"
                                + role.name()
                                + "_HOST_LIST would be too long for a variable: "
                                + role.taskNumber()
                                + " tasks in one role are too many");
            }
            shared += hosts + role.taskNumber() * portBytes(role);
        }
        long most = 0;
        for (PaiTaskRole role : job.taskRoles()) {
            most = Math.max(most, bytes(role.command()) + 2 * portBytes(role));
        }
        if (shared + most > BYTES_MAX) {
            throw Invalid.at(
                    List.of("taskRoles"),
                    "command and variables of one task may take "
                            + (shared + most)
                            + " bytes, as each gets the ports of all; the limit is "
                            + BYTES_MAX);
        }
    }

    /** The variables with the ports of one task. */
    private static long portBytes(PaiTaskRole role) {
        long sum = 0;
        for (PortDemand demand : PortDemand.of(role)) {
            sum += FRAME_BYTES + role.name().length() + demand.label().length();
            sum += (long) demand.count() * PORT_BYTES;
        }
        return sum;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
