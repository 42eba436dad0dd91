package fairlead.server.openpai;

import fairlead.api.OriginBody;
import fairlead.api.RetryBody;
import fairlead.api.RoleBody;
import fairlead.api.SpecBody;
import fairlead.dialects.openpai.ExitStatus;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiJob;
import fairlead.dialects.openpai.PaiTaskRole;
import fairlead.dialects.openpai.PortDemand;
import fairlead.dialects.openpai.StartCommand;
import fairlead.job.JobSpec;
import fairlead.server.auth.Caller;
import fairlead.server.wire.Specs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** The spec of a job that came by OpenPAI's interface. */
final class SubmittedSpec {
    private SubmittedSpec() {}

    static JobSpec of(PaiName name, JobFile file, Caller caller, String cluster, JobParts parts) {
        PaiJob job = file.job();
        var roles = new ArrayList<RoleBody>();
        for (PaiTaskRole role : job.taskRoles()) {
            roles.add(
                    new RoleBody(
                            role.name(),
                            role.taskNumber(),
                            StartCommand.words(role),
                            role.gpuNumber(),
                            null,
                            null,
                            job.gpuType().isEmpty() ? null : job.gpuType(),
                            role.cpuNumber(),
                            role.memoryMB() + "M",
                            role.minFailedTaskCount().isPresent()
                                    ? role.minFailedTaskCount().getAsInt()
                                    : null,
                            role.minSucceededTaskCount().isPresent()
                                    ? role.minSucceededTaskCount().getAsInt()
                                    : null,
                            PortDemand.of(role).stream()
                                    .map(
                                            each ->
                                                    each.label()
                                                            + ":"
                                                            + each.begin()
                                                            + ":"
                                                            + each.count())
                                    .toList()));
        }
        Map<String, String> exits = new LinkedHashMap<>();
        ExitStatus.userFailures()
                .forEach(
                        (code, type) -> {
                            switch (type) {
                                case TRANSIENT_NORMAL -> exits.put("" + code, "transient");
                                case TRANSIENT_CONFLICT -> exits.put("" + code, "conflict");
                                case NON_TRANSIENT -> exits.put("" + code, "permanent");
                                case SUCCEEDED, UNKNOWN -> {}
                            }
                        });
        var body =
                new SpecBody(
                        name.job().replaceAll("[^A-Za-z0-9._-]", "-"),
                        cluster,
                        job.virtualCluster(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        roles,
                        job.jobEnvs(),
                        null,
                        null,
                        null,
                        null,
                        job.image(),
                        null,
                        null,
                        null,
                        null,
                        new RetryBody(job.retryCount(), exits),
                        new OriginBody(PaiName.DIALECT, file.submitted(), name.key()));
        return Specs.read(
                body,
                new Specs.Defaults(
                        caller.name(),
                        job.virtualCluster(),
                        parts.userHome(),
                        false,
                        cluster,
                        Map.of(),
                        parts.engines().get(cluster).runsImages()));
    }
}
