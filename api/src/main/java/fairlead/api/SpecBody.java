package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;
import java.util.Map;

/**
 * What a user asks for, in the shape of a job file. Either roles, or command with gpus, cpus and
 * memory for a job with the one role {@code main}. A null is left to the server's default.
 *
 * @param interactive somebody sits before it: it runs inside its project's quota, is never
 *     preempted and ends at the project's limit
 * @param gpu a whole number of GPUs, or a part of one such as {@code 0.5}; instead of gpus
 * @param gpuMemory so much of one GPU's memory, such as {@code 8G}; instead of gpus
 * @param gpuType only GPUs whose type contains this text
 * @param time the time limit, such as {@code 90s}, {@code 30m}, {@code 4h}, {@code 2d}
 * @param workdir empty: the image's own
 * @param image the container image; where there are no containers it is ignored with a warning
 * @param mounts folders and claims at paths of their own: {@code /home/ann/data:/data}, {@code
 *     claim:NAME:/data} or {@code new-claim:[CLASS]:SIZE:/data}; with {@code :ro} to read only
 * @param ports {@code 8888:80}: the machine's port and the container's
 * @param container what else there is to say about containers
 * @param training what an epoch-aware job declares
 * @param retry what is tried again; instead of retries
 * @param origin the file of another system that the job was made from
 * @param secrets variables that no answer shows: there their values are empty
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
        Integer retries,
        String time,
        String workdir,
        String user,
        String image,
        List<String> mounts,
        List<String> ports,
        ContainerBody container,
        TrainingBody training,
        RetryBody retry,
        OriginBody origin,
        Map<String, String> secrets) {
    /** The same job by another name, in such a container. */
    public SpecBody named(String other, ContainerBody around) {
        return new SpecBody(
                other,
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
                retries,
                time,
                workdir,
                user,
                image,
                mounts,
                ports,
                around,
                training,
                retry,
                origin,
                secrets);
    }
}
