package fairlead.dialects.openpai;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An OpenPAI job with defaults filled in. The four addresses are as the user wrote them; see {@link
 * Addresses} for what they stand for.
 *
 * @param retryCount -2: always again, even after success; -1: failures without limit
 * @param jobEnvs variables of the job, each value already a text
 * @param rdma whether jobEnvs.paiAzRDMA asks for it
 */
public record PaiJob(
        String jobName,
        String image,
        String authFile,
        String dataDir,
        String outputDir,
        String codeDir,
        String virtualCluster,
        List<PaiTaskRole> taskRoles,
        String gpuType,
        int retryCount,
        Map<String, String> jobEnvs,
        boolean rdma) {
    public static final String DEFAULT_VIRTUAL_CLUSTER = "default";

    public PaiJob {
        taskRoles = List.copyOf(taskRoles);
        jobEnvs = Collections.unmodifiableMap(new LinkedHashMap<>(jobEnvs));
    }

    /** The same job by another name. */
    PaiJob named(String other) {
        return new PaiJob(
                other,
                image,
                authFile,
                dataDir,
                outputDir,
                codeDir,
                virtualCluster,
                taskRoles,
                gpuType,
                retryCount,
                jobEnvs,
                rdma);
    }

    /** Of all roles together. */
    public int tasks() {
        int sum = 0;
        for (PaiTaskRole role : taskRoles) sum += role.taskNumber();
        return sum;
    }
}
