package fairlead.server.wire;

import fairlead.api.BadBody;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.Place;
import fairlead.job.JobSpec;
import fairlead.job.Limits;
import fairlead.job.Origin;
import fairlead.job.Role;
import fairlead.job.SpecException;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the origin of a job says, where that is a config of ACT or Philly. */
public final class ActOrigin {
    private static final System.Logger LOG = System.getLogger(ActOrigin.class.getName());
    private static final String TEXT = "origin.text";

    /** It becomes a variable, which has a name as well. */
    private static final int TEXT_CHARS_MAX = Limits.ARGUMENT_BYTES_MAX / 2;

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

    /** The job as its config has it; empty for jobs of other origin, and of none. */
    public static Optional<ActJob> known(JobSpec spec) {
        Optional<Origin> origin = spec.origin().filter(from -> is(from));
        try {
            return origin.map(from -> read(from.text()));
        } catch (SpecException unfit) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is no job of ACT as this server knows them: {1}",
                    spec.name(),
                    unfit.getMessage());
            return Optional.empty();
        }
    }

    private static boolean is(Origin origin) {
        return origin.dialect().equals(ActJob.DIALECT);
    }

    private static ActJob read(String text) {
        require(text.length() <= TEXT_CHARS_MAX, "is longer than " + TEXT_CHARS_MAX);
        try {
            return ActJob.fromJson(text);
        } catch (BadBody bad) {
            throw new SpecException(TEXT, bad.getMessage());
        }
    }

    static void check(JobSpec spec) {
        Origin origin = spec.origin().orElseThrow();
        SpecException.unless(
                origin.key().isEmpty(), "origin.key", "must be empty: ACT has no names for jobs");
        ActJob job = read(origin.text());
        require(
                spec.roles().size() == 1,
                "is for one role, but the job has " + spec.roles().size());
        Role role = spec.roles().getFirst();
        require(
                role.count() == job.nodes(),
                "has %d nodes, but the job has %d tasks".formatted(job.nodes(), role.count()));
        require(
                job.processesPerNode() <= PROCESSES_MAX,
                "has more than " + PROCESSES_MAX + " processes per node");
        require(job.mpi() || job.nodes() == 1, "has several nodes, which only mpi runs on");
        SpecException.unless(!role.command().isEmpty(), "command", "is empty");
        require(job.folders().size() <= FOLDERS_MAX, "has more than " + FOLDERS_MAX + " folders");
        checkPlace("code", job.code(), spec);
        job.folders()
                .forEach(
                        (name, place) -> {
                            require(
                                    FOLDER.matcher(name).matches(),
                                    "has a folder whose name is no single name: '" + name + "'");
                            checkPlace("folders." + name, place, spec);
                        });
    }

    private static void checkPlace(String field, Place place, JobSpec spec) {
        require(
                FUSE.matcher(place.fuse()).matches(),
                field + ": has options of a mount that nobody knows: '" + place.fuse() + "'");
        switch (place) {
            case Place.File(var path, _) ->
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
                        sas.isEmpty() || spec.environment().containsKey(sas),
                        field + ": the job has no secret " + sas);
            }
        }
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

    private static void require(boolean fits, String problem) {
        SpecException.unless(fits, TEXT, problem);
    }
}
