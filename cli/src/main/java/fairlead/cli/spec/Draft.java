package fairlead.cli.spec;

import fairlead.api.OriginBody;
import fairlead.api.RetryBody;
import fairlead.api.RoleBody;
import fairlead.api.SpecBody;
import fairlead.cli.UsageException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A spec in the making: what a file says, then what options say over it. A null is not said. */
public final class Draft {
    public String name;
    public String cluster;
    public String project;
    public Integer priority;
    public List<String> command;
    public Boolean interactive;
    public Integer gpus;
    public String gpu;
    public String gpuMemory;
    public String gpuType;
    public Integer cpus;
    public String memory;
    public List<RoleBody> roles;
    public Map<String, String> environment = new LinkedHashMap<>();
    public Integer retries;
    public String time;
    public String workdir;
    public String user;
    public String image;
    public List<String> mounts;
    public List<String> ports;
    public ContainerDraft container = new ContainerDraft();
    public TrainingDraft training;
    public RetryBody retry;
    public OriginBody origin;
    public Map<String, String> secrets;

    /** What the file says and is not so, a line each. */
    public final List<String> remarks = new ArrayList<>();

    /** Whether it was a pod of Kubernetes. */
    public boolean isPod;

    /** Whose job a pod file says that it is; null where it says nothing. */
    public String labelledUser;

    private final Lines lines;

    public Draft(Lines lines) {
        this.lines = lines;
    }

    /** What a file of another system asks for. */
    static Draft of(SpecBody spec, Lines lines) {
        var draft = new Draft(lines);
        draft.name = spec.name();
        draft.project = spec.project();
        draft.priority = spec.priority();
        draft.command = spec.command();
        draft.gpus = spec.gpus();
        draft.gpuType = spec.gpuType();
        draft.cpus = spec.cpus();
        draft.memory = spec.memory();
        draft.roles = spec.roles();
        draft.environment.putAll(spec.env());
        draft.retries = spec.retries();
        draft.time = spec.time();
        draft.workdir = spec.workdir();
        draft.image = spec.image();
        draft.mounts = spec.mounts();
        draft.ports = spec.ports();
        draft.container = ContainerDraft.of(spec.container());
        draft.retry = spec.retry();
        draft.origin = spec.origin();
        return draft;
    }

    public Lines lines() {
        return lines;
    }

    /** An option says this over the file. */
    public void overridden(String path) {
        lines.forget(path);
        lines.forget("roles[0]." + path);
    }

    /**
     * What an option says about the tasks goes to the one role there is.
     *
     * @param field what the option is called in a file
     */
    public void ofOneRole(String field, Consumer<RoleDraft> change) throws UsageException {
        overridden(field);
        if (roles == null) {
            var role = new RoleDraft();
            role.command = command;
            role.gpus = gpus;
            role.gpu = gpu;
            role.gpuMemory = gpuMemory;
            role.gpuType = gpuType;
            role.cpus = cpus;
            role.memory = memory;
            change.accept(role);
            boolean staysShort = role.count == null;
            if (!staysShort) {
                role.name = "main";
                roles = List.of(role.body());
            }
            command = staysShort ? role.command : null;
            gpus = staysShort ? role.gpus : null;
            gpu = staysShort ? role.gpu : null;
            gpuMemory = staysShort ? role.gpuMemory : null;
            gpuType = staysShort ? role.gpuType : null;
            cpus = staysShort ? role.cpus : null;
            memory = staysShort ? role.memory : null;
            return;
        }
        if (roles.size() != 1) {
            throw new UsageException(
                    "the " + field + " of a job with several roles can only be given in its file");
        }
        var role = RoleDraft.of(roles.getFirst());
        change.accept(role);
        roles = List.of(role.body());
    }

    public SpecBody body() {
        return new SpecBody(
                name,
                cluster,
                project,
                priority,
                interactive,
                command,
                gpus,
                gpu,
                gpuMemory,
                gpuType,
                cpus,
                memory,
                roles,
                environment,
                retries,
                time,
                workdir,
                user,
                image,
                mounts,
                ports,
                container.body(),
                training == null ? null : training.body(),
                retry,
                origin,
                secrets);
    }
}
