package fairlead.dialects.openpai;

import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.RetryBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * An OpenPAI job as a job of Fairlead. What has no place in a spec, such as its directories and
 * variables with odd names, stays in the file, which goes along as the job's origin.
 */
public final class PaiSpec {
    /** What a spec takes for the name of a variable; all others go along at the launch. */
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private PaiSpec() {}

    /** Everything but what the server fills in, by the name in the file. */
    public static SpecBody of(JobFile file, String user) {
        return of(file, user, file.job().jobName());
    }

    /** The same by a name that was said elsewhere. */
    public static SpecBody of(JobFile file, String user, String jobName) {
        PaiJob job = file.job().named(jobName);
        var spec = new SpecBody.Edit();
        spec.name = SpecBody.legalName(job.jobName());
        spec.project = job.virtualCluster();
        spec.roles = job.taskRoles().stream().map(role -> role(role, job.gpuType())).toList();
        spec.env = variables(job);
        spec.image = job.image();
        spec.container = container(job);
        spec.retry = retry(job.retryCount());
        spec.origin = PaiOrigin.write(file, user, job.jobName());
        return spec.body();
    }

    private static RoleBody role(PaiTaskRole role, String gpuType) {
        boolean isTyped = role.gpuNumber() > 0 && !gpuType.isEmpty();
        var body = new RoleBody.Edit();
        body.name = role.name();
        body.count = role.taskNumber();
        body.command = StartCommand.words(role);
        body.gpus = role.gpuNumber();
        body.gpuType = isTyped ? gpuType : null;
        body.cpus = role.cpuNumber();
        body.memory = role.memoryMB() + "M";
        body.minFailed = role.minFailedTaskCount().orElse(0);
        body.minSucceeded = role.minSucceededTaskCount().orElse(0);
        body.ports = PortDemand.of(role).stream().map(PortDemand::text).toList();
        return body.body();
    }

    private static Map<String, String> variables(PaiJob job) {
        var legal = new LinkedHashMap<>(job.jobEnvs());
        legal.keySet().removeIf(name -> !VARIABLE.matcher(name).matches());
        return legal;
    }

    /** A job has one size of /dev/shm for all: that of the role that asks for most. */
    private static ContainerBody container(PaiJob job) {
        int shmMB = job.taskRoles().stream().mapToInt(PaiTaskRole::shmMB).max().orElseThrow();
        var container = new ContainerBody.Edit();
        container.shm = shmMB == 0 ? null : shmMB + "M";
        return container.body();
    }

    private static RetryBody retry(int retryCount) {
        var exits = new TreeMap<String, String>();
        ExitStatus.userFailures()
                .forEach((code, type) -> exits.put(Integer.toString(code), word(type)));
        return new RetryBody(retryCount, exits);
    }

    private static String word(ExitType type) {
        return switch (type) {
            case TRANSIENT_NORMAL -> "transient";
            case TRANSIENT_CONFLICT -> "conflict";
            case NON_TRANSIENT -> "permanent";
            case UNKNOWN -> "unknown";
            case SUCCEEDED -> throw new IllegalArgumentException("a success is no failure");
        };
    }
}
