package fairlead.dialects.act;

import fairlead.api.JobDetail;
import fairlead.api.json.BadBody;
import fairlead.api.launch.LaunchHook;
import fairlead.api.launch.Misfit;
import fairlead.api.spec.OriginBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/** The origin of a job of ACT or Philly: what it keeps of its config, written, read and checked. */
public final class ActOrigin {
    /** What {@code origin.dialect} of such a job says. */
    public static final String DIALECT = "act";

    private static final String TEXT = "origin.text";

    /** It becomes a variable, which has a name as well. */
    private static final int TEXT_CHARS_MAX = LaunchHook.VARIABLE_BYTES_MAX / 2;

    /** A node of today has 16 GPUs at most; more processes are for those without any. */
    private static final int PROCESSES_MAX = 1_024;

    private static final int FOLDERS_MAX = 100;

    /** One step of a path, of which Linux takes 255 bytes. */
    private static final Pattern FOLDER = Pattern.compile("(?!\\.{1,2}$)[^/\\p{Cntrl}]{1,80}");

    private static final Pattern SAS =
            Pattern.compile(Pattern.quote(ActJob.SAS_VARIABLE) + "[0-9]{1,4}");

    private static final Pattern FUSE =
            Pattern.compile("(?:(?:^|,)(?:ro|allow_other|[a-z_]{1,40}=[0-9]{1,9}))*");

    private ActOrigin() {}

    public static OriginBody write(ActJob job) {
        return new OriginBody(DIALECT, job.toJson(), "");
    }

    /** Empty for a job that was not submitted with a config file, or by a newer program. */
    public static Optional<ActJob> of(OriginBody origin) {
        if (origin == null || !DIALECT.equals(origin.dialect())) return Optional.empty();
        try {
            return Optional.of(ActJob.fromJson(origin.text()));
        } catch (BadBody _) {
            return Optional.empty();
        }
    }

    public static Optional<ActJob> of(SpecBody spec) {
        return spec == null ? Optional.empty() : of(spec.origin());
    }

    public static Optional<ActJob> of(JobDetail detail) {
        return of(detail.spec());
    }

    static ActJob read(String text) throws Misfit {
        require(text.length() <= TEXT_CHARS_MAX, "is longer than " + TEXT_CHARS_MAX);
        try {
            return ActJob.fromJson(text);
        } catch (BadBody bad) {
            throw new Misfit(TEXT, bad.getMessage());
        }
    }

    /** Refuses what does not fit the spec that it stands in. */
    static void check(SpecBody spec) throws Misfit {
        Misfit.unless(
                spec.origin().key().isEmpty(),
                "origin.key",
                "must be empty: ACT has no names for jobs");
        ActJob job = read(spec.origin().text());
        int roles = spec.roles() == null ? 1 : spec.roles().size();
        require(roles == 1, "is for one role, but the job has " + roles);
        RoleBody role = spec.roles() == null ? spec.main() : spec.roles().getFirst();
        int tasks = role.count() == null ? 1 : role.count();
        require(
                tasks == job.nodes(),
                "has %d nodes, but the job has %d tasks".formatted(job.nodes(), tasks));
        require(
                job.processesPerNode() <= PROCESSES_MAX,
                "has more than " + PROCESSES_MAX + " processes per node");
        require(job.mpi() || job.nodes() == 1, "has several nodes, which only mpi runs on");
        Misfit.unless(role.command() != null && !role.command().isEmpty(), "command", "is empty");
        require(job.folders().size() <= FOLDERS_MAX, "has more than " + FOLDERS_MAX + " folders");
        checkPlace("code", job.code(), spec);
        for (var folder : job.folders().entrySet()) {
            String name = folder.getKey();
            require(
                    FOLDER.matcher(name).matches(),
                    "has a folder whose name is no single name: '" + name + "'");
            checkPlace("folders." + name, folder.getValue(), spec);
        }
    }

    private static void checkPlace(String field, Place place, SpecBody spec) throws Misfit {
        require(
                FUSE.matcher(place.fuse()).matches(),
                field + ": has unknown mount options: '" + place.fuse() + "'");
        switch (place) {
            case Place.File(var path, _, _) ->
                    require(
                            path.startsWith("/") && path.indexOf('\0') < 0,
                            field + ": must have an absolute path, but has '" + path + "'");
            case Place.Blob(var url, var sas, _) -> {
                require(
                        isAddress(url),
                        field + ": must have a http or https address of a blob, without a query");
                require(
                        sas.isEmpty() || SAS.matcher(sas).matches(),
                        "%s: must name a variable such as %s0, but names '%s'"
                                .formatted(field, ActJob.SAS_VARIABLE, sas));
                require(
                        sas.isEmpty() || hasVariable(spec, sas),
                        field + ": the job has no secret " + sas);
            }
        }
    }

    private static boolean hasVariable(SpecBody spec, String name) {
        return spec.secrets() != null && spec.secrets().containsKey(name)
                || spec.env() != null && spec.env().containsKey(name);
    }

    private static boolean isAddress(String url) {
        try {
            var address = new URI(url);
            boolean isWeb =
                    "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            return isWeb
                    && address.getHost() != null
                    && address.getRawUserInfo() == null
                    && address.getRawQuery() == null
                    && address.getRawFragment() == null;
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static void require(boolean fits, String problem) throws Misfit {
        Misfit.unless(fits, TEXT, problem);
    }
}
