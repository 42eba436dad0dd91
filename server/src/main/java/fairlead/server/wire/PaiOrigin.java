package fairlead.server.wire;

import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.PaiJob;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.dialects.openpai.PaiTaskRole;
import fairlead.dialects.openpai.PortDemand;
import fairlead.job.JobSpec;
import fairlead.job.Origin;
import fairlead.job.Role;
import fairlead.job.SpecException;

import java.util.List;
import java.util.Optional;

/** What the origin of a job says, where that is a file of OpenPAI. */
public final class PaiOrigin {
    private PaiOrigin() {}

    /**
     * The file's own view of the job; empty for jobs of other origin, and of none.
     *
     * @throws SpecException where the file is not one, or not of this job
     */
    public static Optional<PaiSpec.Known> of(JobSpec spec) {
        if (spec.origin().isEmpty()) return Optional.empty();
        Origin origin = spec.origin().get();
        if (!origin.dialect().equals(PaiSpec.DIALECT)) return Optional.empty();
        try {
            PaiSpec.Known known = PaiSpec.known(origin.text(), origin.key());
            checkRoles(known.job(), spec);
            return Optional.of(known);
        } catch (Invalid invalid) {
            throw new SpecException("origin.text", invalid.getMessage());
        }
    }

    /**
     * Refuses what only the translators of files may say, and says wrongly.
     *
     * @param user whose names may be used; empty for all
     */
    static void check(JobSpec spec, Optional<String> user) {
        String whose = of(spec).orElseThrow().user();
        SpecException.unless(
                user.isEmpty() || user.get().equals(whose),
                "origin.key",
                "must begin with your own name, but begins with '" + whose + "'");
    }

    /** The variables of its tasks are told by the file, so the file must know them all. */
    private static void checkRoles(PaiJob job, JobSpec spec) {
        List<String> ours = spec.roles().stream().map(Role::name).toList();
        List<String> theirs = job.taskRoles().stream().map(PaiTaskRole::name).toList();
        SpecException.unless(
                ours.equals(theirs),
                "origin.text",
                "has the roles " + theirs + ", but the job has " + ours);
        for (PaiTaskRole role : job.taskRoles()) {
            Role other = spec.role(role.name());
            List<String> wanted = PortDemand.of(role).stream().map(PaiOrigin::text).toList();
            List<String> given = other.ports().stream().map(PaiOrigin::text).toList();
            SpecException.unless(
                    other.count() == role.taskNumber() && given.equals(wanted),
                    "origin.text",
                    "has other tasks or ports for the role " + role.name() + " than the job");
        }
    }

    private static String text(PortDemand demand) {
        return demand.label() + ":" + demand.begin() + ":" + demand.count();
    }

    private static String text(Role.Ports ports) {
        return ports.label() + ":" + ports.first() + ":" + ports.count();
    }
}
