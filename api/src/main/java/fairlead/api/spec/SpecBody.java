package fairlead.api.spec;

import fairlead.api.json.Wire;

import io.avaje.json.JsonReader;
import io.avaje.jsonb.Json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a user asks for, in the shape of a job file. Either roles, or command with gpus, cpus and
 * memory for a job with the one role {@code main}. A null is left to the server's default.
 *
 * @param interactive somebody sits before it: it runs inside its project's quota, is never
 *     preempted and ends at the project's limit
 * @param gpu a whole number of GPUs, or a part of one such as {@code 0.5}; instead of gpus
 * @param gpuMemory how much of one GPU's memory, such as {@code 8G}; instead of gpus
 * @param gpuType only GPUs whose type contains this text
 * @param secrets variables that no answer shows: there their values are empty
 * @param retry what is tried again; instead of retries
 * @param time the time limit, such as {@code 90s}, {@code 30m}, {@code 4h}, {@code 2d}
 * @param workdir empty: the image's own
 * @param image the container image; where there are no containers it is ignored with a warning
 * @param mounts folders and claims at paths of their own: {@code /home/ann/data:/data}, {@code
 *     claim:NAME:/data} or {@code new-claim:[CLASS]:SIZE:/data}; with {@code :ro} to read only
 * @param ports {@code 8888:80}: the machine's port and the container's
 * @param container what else there is to say about containers
 * @param training what an epoch-aware job declares
 * @param after jobs that this one waits for
 * @param origin the file of another system that the job was made from
 */
@Json
public record SpecBody(
        String name,
        String cluster,
        String project,
        Integer priority,
        Boolean interactive,
        @Json.Serializer(CommandAdapter.class) List<String> command,
        Integer gpus,
        @Json.Serializer(GpuAdapter.class) String gpu,
        String gpuMemory,
        String gpuType,
        Integer cpus,
        String memory,
        List<RoleBody> roles,
        Map<String, String> env,
        Map<String, String> secrets,
        Integer retries,
        RetryBody retry,
        String time,
        String workdir,
        String user,
        String image,
        List<String> mounts,
        List<String> ports,
        ContainerBody container,
        TrainingBody training,
        List<AfterBody> after,
        OriginBody origin) {

    private static final int NAME_CHARACTERS_MAX = 63;

    /**
     * The name of a job that is called after something else: accounts and experiments may hold what
     * names of jobs may not, such as a backslash or a leading underscore.
     */
    public static String legalName(String text) {
        String legal = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[._-]+", "");
        if (legal.isEmpty()) return "job";
        return legal.substring(0, Math.min(legal.length(), NAME_CHARACTERS_MAX));
    }

    /** Reads JSON, or what its reader shows as JSON. Mistakes are the reader's. */
    public static SpecBody read(JsonReader reader) {
        return Wire.type(SpecBody.class).fromJson(reader);
    }

    /** In the order of the components, without what is null. */
    public String json() {
        return new String(Wire.json(this, SpecBody.class), StandardCharsets.UTF_8);
    }

    public static SpecBody of(Consumer<Edit> change) {
        return new Edit().after(change);
    }

    public SpecBody with(Consumer<Edit> change) {
        return new Edit(this).after(change);
    }

    /** The one role of a job without roles: the same fields, and its name. */
    public RoleBody main() {
        var main = new RoleBody.Edit();
        main.name = "main";
        main.command = command;
        main.gpus = gpus;
        main.gpu = gpu;
        main.gpuMemory = gpuMemory;
        main.gpuType = gpuType;
        main.cpus = cpus;
        main.memory = memory;
        return main.body();
    }

    /** A spec in the making, or about to change. A null is not said. */
    public static final class Edit {
        public String name;
        public String cluster;
        public String project;
        public Integer priority;
        public Boolean interactive;
        public List<String> command;
        public Integer gpus;
        public String gpu;
        public String gpuMemory;
        public String gpuType;
        public Integer cpus;
        public String memory;
        public List<RoleBody> roles;
        public Map<String, String> env;
        public Map<String, String> secrets;
        public Integer retries;
        public RetryBody retry;
        public String time;
        public String workdir;
        public String user;
        public String image;
        public List<String> mounts;
        public List<String> ports;
        public ContainerBody container;
        public TrainingBody training;
        public List<AfterBody> after;
        public OriginBody origin;

        public Edit() {}

        public Edit(SpecBody old) {
            name = old.name;
            cluster = old.cluster;
            project = old.project;
            priority = old.priority;
            interactive = old.interactive;
            command = old.command;
            gpus = old.gpus;
            gpu = old.gpu;
            gpuMemory = old.gpuMemory;
            gpuType = old.gpuType;
            cpus = old.cpus;
            memory = old.memory;
            roles = old.roles;
            env = old.env;
            secrets = old.secrets;
            retries = old.retries;
            retry = old.retry;
            time = old.time;
            workdir = old.workdir;
            user = old.user;
            image = old.image;
            mounts = old.mounts;
            ports = old.ports;
            container = old.container;
            training = old.training;
            after = old.after;
            origin = old.origin;
        }

        /** Says these fields of a role for a job without roles. */
        public void main(RoleBody role) {
            command = role.command();
            gpus = role.gpus();
            gpu = role.gpu();
            gpuMemory = role.gpuMemory();
            gpuType = role.gpuType();
            cpus = role.cpus();
            memory = role.memory();
        }

        private SpecBody after(Consumer<Edit> change) {
            change.accept(this);
            return body();
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
                    env,
                    secrets,
                    retries,
                    retry,
                    time,
                    workdir,
                    user,
                    image,
                    mounts,
                    ports,
                    container,
                    training,
                    after,
                    origin);
        }
    }
}
