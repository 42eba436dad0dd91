package fairlead.dialects.openpai;

import java.util.List;
import java.util.OptionalInt;

/**
 * One entry of taskRoles, with defaults filled in.
 *
 * @param minFailedTaskCount empty: null in the file, no failure ends the job
 * @param minSucceededTaskCount empty: no success ends the job before all tasks have ended
 */
public record PaiTaskRole(
        String name,
        int taskNumber,
        int cpuNumber,
        int memoryMB,
        int shmMB,
        int gpuNumber,
        List<PaiPort> portList,
        String command,
        OptionalInt minFailedTaskCount,
        OptionalInt minSucceededTaskCount) {
    public PaiTaskRole {
        portList = List.copyOf(portList);
    }
}
