package fairlead.dialects.openpai;

import fairlead.api.launch.Misfit;
import fairlead.api.spec.OriginBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;

import java.util.List;
import java.util.Optional;

/**
 * The origin of a job of OpenPAI, written, read and checked: the file as it was submitted, and as
 * its key {@code USER~JOB}, by which OpenPAI knows the job. The user is empty for a legacy job.
 */
public final class PaiOrigin {
    /** What {@code origin.dialect} of such a job says. */
    public static final String DIALECT = "openpai";

    private static final String TEXT = "origin.text";
    private static final char BETWEEN = '~';

    private PaiOrigin() {}

    /**
     * A job and whose it is.
     *
     * @param user in whose name it is known; empty for a legacy job
     */
    public record Known(PaiJob job, String user) {
        /** Who counts as its user: a legacy job is under nobody's name, but somebody sent it. */
        public String userOr(String owner) {
            return user.isEmpty() ? owner : user;
        }
    }

    static OriginBody write(JobFile file, String user, String jobName) {
        return new OriginBody(DIALECT, file.submitted(), key(user, jobName));
    }

    /** The same file, known by other names. */
    public static OriginBody named(OriginBody origin, String user, String jobName) {
        return new OriginBody(origin.dialect(), origin.text(), key(user, jobName));
    }

    /** What OpenPAI calls the job of a user: one at a time has this name. */
    public static String key(String user, String jobName) {
        return user + BETWEEN + jobName;
    }

    /** Whose name is in a key that was checked; empty for a legacy job. */
    public static String user(String key) {
        return key.substring(0, key.indexOf(BETWEEN));
    }

    /** The job's name in a key that was checked. */
    public static String jobName(String key) {
        return key.substring(key.indexOf(BETWEEN) + 1);
    }

    /** What a job is called that is under nobody's name yet; empty for all others. */
    public static Optional<String> unowned(OriginBody origin) {
        boolean isUnowned =
                origin != null
                        && DIALECT.equals(origin.dialect())
                        && origin.key() != null
                        && origin.key().indexOf(BETWEEN) == 0;
        return isUnowned ? Optional.of(jobName(origin.key())) : Optional.empty();
    }

    /** A job that is under nobody's name yet, under this one; any other as it is. */
    public static SpecBody owned(SpecBody spec, String user) {
        return unowned(spec.origin())
                .map(name -> spec.with(edit -> edit.origin = named(edit.origin, user, name)))
                .orElse(spec);
    }

    /**
     * The job that a spec was made from. The key has the last word about the name: who submits by
     * HTTP says it in the address.
     */
    static Known known(OriginBody origin) throws Invalid {
        String key = origin.key();
        if (key.indexOf(BETWEEN) < 0) throw new Invalid("the key '" + key + "' is not USER~JOB");
        PaiJob job = JobFile.ofRequest(origin.text()).job();
        return new Known(job.named(jobName(key)), user(key));
    }

    /** The file's own view of the job, whose roles must be those of the spec. */
    static Known of(SpecBody spec) throws Misfit {
        try {
            Known known = known(spec.origin());
            checkRoles(known.job(), spec);
            return known;
        } catch (Invalid invalid) {
            throw new Misfit(TEXT, invalid.getMessage());
        }
    }

    /**
     * Refuses what does not fit the spec that it stands in.
     *
     * @param user whose names may be used; empty for all
     */
    static void check(SpecBody spec, Optional<String> user) throws Misfit {
        String whose = of(spec).user();
        Misfit.unless(
                user.isEmpty() || user.get().equals(whose),
                "origin.key",
                "must begin with your own name, but begins with '" + whose + "'");
    }

    /** The variables of its tasks follow from the file, so the file must know them all. */
    private static void checkRoles(PaiJob job, SpecBody spec) throws Misfit {
        List<RoleBody> roles = spec.roles() == null ? List.of(spec.main()) : spec.roles();
        List<String> ours = roles.stream().map(RoleBody::name).toList();
        List<String> theirs = job.taskRoles().stream().map(PaiTaskRole::name).toList();
        Misfit.unless(
                ours.equals(theirs), TEXT, "has the roles " + theirs + ", but the job has " + ours);
        for (int i = 0; i < roles.size(); i++) {
            PaiTaskRole theirRole = job.taskRoles().get(i);
            RoleBody role = roles.get(i);
            int count = role.count() == null ? 1 : role.count();
            List<String> ports = role.ports() == null ? List.of() : role.ports();
            List<String> given = ports.stream().map(PaiOrigin::whole).toList();
            List<String> wanted = PortDemand.of(theirRole).stream().map(PortDemand::text).toList();
            Misfit.unless(
                    count == theirRole.taskNumber() && given.equals(wanted),
                    TEXT,
                    "has other tasks or ports for the role " + theirRole.name() + " than the job");
        }
    }

    /** A label alone means one port, of which any will do. */
    private static String whole(String port) {
        return port.indexOf(':') < 0 ? new PortDemand(port, 0, 1).text() : port;
    }
}
