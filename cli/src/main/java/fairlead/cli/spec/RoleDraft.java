package fairlead.cli.spec;

import fairlead.api.RoleBody;

import java.util.List;

/** A role in the making. */
public final class RoleDraft {
    public String name;
    public Integer count;
    public List<String> command;
    public Integer gpus;
    public Integer cpus;
    public String memory;
    private final Integer minFailed;
    private final Integer minSucceeded;

    RoleDraft(
            String name,
            Integer count,
            List<String> command,
            Integer gpus,
            Integer cpus,
            String memory,
            Integer minFailed,
            Integer minSucceeded) {
        this.name = name;
        this.count = count;
        this.command = command;
        this.gpus = gpus;
        this.cpus = cpus;
        this.memory = memory;
        this.minFailed = minFailed;
        this.minSucceeded = minSucceeded;
    }

    static RoleDraft of(RoleBody body) {
        return new RoleDraft(
                body.name(),
                body.count(),
                body.command(),
                body.gpus(),
                body.cpus(),
                body.memory(),
                body.minFailed(),
                body.minSucceeded());
    }

    RoleBody body() {
        return new RoleBody(name, count, command, gpus, cpus, memory, minFailed, minSucceeded);
    }
}
