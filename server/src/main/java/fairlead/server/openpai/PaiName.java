package fairlead.server.openpai;

import fairlead.dialects.openpai.PaiOrigin;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.Origin;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What clients of OpenPAI call a job: {@code USER~JOB}. A job without a user is a legacy one to
 * them; those that came another way than by OpenPAI are called by their ids, and are legacy ones
 * too.
 *
 * @param user whose name the job stands under, which need not be its owner
 */
record PaiName(Optional<String> user, String job) {
    /** People of ours may have a dot or a hyphen in their names. */
    private static final Pattern USER = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,32}");

    private static final Pattern JOB = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._~-]{1,255}");

    static PaiName of(Job job) {
        return origin(job.spec())
                .map(origin -> of(origin.key()))
                .orElse(new PaiName(Optional.empty(), job.id().text()));
    }

    /** The file that the job was made from; empty for one that came another way. */
    static Optional<Origin> origin(JobSpec spec) {
        return spec.origin().filter(from -> from.dialect().equals(PaiOrigin.DIALECT));
    }

    /** Every submit refuses a key without a tilde. */
    private static PaiName of(String key) {
        String user = PaiOrigin.user(key);
        return new PaiName(
                user.isEmpty() ? Optional.empty() : Optional.of(user), PaiOrigin.jobName(key));
    }

    /** For a job that is new; a name that nobody has needs no rules. */
    void check() {
        if (user.filter(name -> !USER.matcher(name).matches()).isPresent())
            throw PaiProblem.invalid(
                    "the user of a job must have 1 to 32 letters, digits, dots, underscores and"
                            + " hyphens, and is not . or ..");
        if (!JOB.matcher(job).matches())
            throw PaiProblem.invalid(
                    "\"jobName\" must have 1 to 255 letters, digits and . _ - ~, and is not . or"
                            + " ..");
    }

    /** As the journal has it; nobody's name is empty. */
    String key() {
        return PaiOrigin.key(user.orElse(""), job);
    }

    /** What its key files are called. */
    String fileName() {
        return user.isEmpty() ? job : key();
    }

    /** Where its routes begin, below the root. */
    String path() {
        return user.map(name -> "/user/" + name).orElse("") + "/jobs/" + job;
    }
}
