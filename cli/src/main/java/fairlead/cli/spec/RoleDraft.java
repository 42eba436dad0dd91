package fairlead.cli.spec;

import fairlead.api.RoleBody;

import java.util.List;

/** A role in the making. */
public final class RoleDraft {
    public String name;
    public Integer count;
    public List<String> command;
    public Integer gpus;
    public String gpu;
    public String gpuMemory;
    public String gpuType;
    public Integer cpus;
    public String memory;
    private Integer minFailed;
    private Integer minSucceeded;
    private List<String> ports;

    RoleDraft() {}

    static RoleDraft of(RoleBody body) {
        var role = new RoleDraft();
        role.name = body.name();
        role.count = body.count();
        role.command = body.command();
        role.gpus = body.gpus();
        role.gpu = body.gpu();
        role.gpuMemory = body.gpuMemory();
        role.gpuType = body.gpuType();
        role.cpus = body.cpus();
        role.memory = body.memory();
        role.minFailed = body.minFailed();
        role.minSucceeded = body.minSucceeded();
        role.ports = body.ports();
        return role;
    }

    /** Forgets how many GPUs were said, in whichever way: another way is about to be said. */
    public void clearGpus() {
        gpus = null;
        gpu = null;
        gpuMemory = null;
    }

    RoleBody body() {
        return new RoleBody(
                name,
                count,
                command,
                gpus,
                gpu,
                gpuMemory,
                gpuType,
                cpus,
                memory,
                minFailed,
                minSucceeded,
                ports);
    }
}
