package fairlead.server.openpai;

import fairlead.dialects.openpai.PaiSpec;
import fairlead.job.Job;

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
    private static final char BETWEEN = '~';

    /** People of ours may have a dot or a hyphen in their names. */
    private static final Pattern USER = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,32}");

    private static final Pattern JOB = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._~-]{1,255}");

    static PaiName of(Job job) {
        return job.spec()
                .origin()
                .filter(origin -> origin.dialect().equals(PaiSpec.DIALECT))
                .map(origin -> of(origin.key()))
                .orElse(new PaiName(Optional.empty(), job.id().text()));
    }

    /** Every submit refuses a key without a tilde. */
    private static PaiName of(String key) {
        int end = key.indexOf(BETWEEN);
        String user = key.substring(0, end);
        return new PaiName(
                user.isEmpty() ? Optional.empty() : Optional.of(user), key.substring(end + 1));
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
        return PaiSpec.key(user.orElse(""), job);
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
