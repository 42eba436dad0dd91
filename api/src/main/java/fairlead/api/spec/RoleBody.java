package fairlead.api.spec;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * One role of a spec, as in a job file. A null is left to the server's default.
 *
 * @param command a list is executed as it is; in files and requests a single text is run by {@code
 *     sh -c}
 * @param gpu a whole number of GPUs, or a part of one such as {@code 0.5}; instead of gpus
 * @param gpuMemory how much of one GPU's memory, such as {@code 8G}; instead of gpus
 * @param gpuType only GPUs whose type contains this text
 * @param memory with a unit, such as {@code 8G}
 * @param minFailed this many failed tasks fail the attempt; default 1, 0 means never
 * @param minSucceeded this many succeeded tasks end the attempt well; default 0, never
 * @param ports that each task gets on its node: {@code label} for any one, or {@code
 *     label:FIRST:COUNT}, where a FIRST of 0 means any
 */
@Json
public record RoleBody(
        String name,
        Integer count,
        @Json.Serializer(CommandAdapter.class) List<String> command,
        Integer gpus,
        @Json.Serializer(GpuAdapter.class) String gpu,
        String gpuMemory,
        String gpuType,
        Integer cpus,
        String memory,
        Integer minFailed,
        Integer minSucceeded,
        List<String> ports) {
    /** A role in the making, or about to change. A null is not said. */
    public static final class Edit {
        public String name;
        public Integer count;
        public List<String> command;
        public Integer gpus;
        public String gpu;
        public String gpuMemory;
        public String gpuType;
        public Integer cpus;
        public String memory;
        public Integer minFailed;
        public Integer minSucceeded;
        public List<String> ports;

        public Edit() {}

        public Edit(RoleBody old) {
            name = old.name;
            count = old.count;
            command = old.command;
            gpus = old.gpus;
            gpu = old.gpu;
            gpuMemory = old.gpuMemory;
            gpuType = old.gpuType;
            cpus = old.cpus;
            memory = old.memory;
            minFailed = old.minFailed;
            minSucceeded = old.minSucceeded;
            ports = old.ports;
        }

        public RoleBody body() {
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
}
