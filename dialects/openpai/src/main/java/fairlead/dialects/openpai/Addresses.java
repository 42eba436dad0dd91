package fairlead.dialects.openpai;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a job's files are, with the names put in that OpenPAI's server puts in (items O18, O19).
 *
 * @param outputDir never empty
 */
public record Addresses(String authFile, String dataDir, String outputDir, String codeDir) {
    private static final String FS_URI = "$PAI_DEFAULT_FS_URI";

    /** Whole names only, as a shell reads them: {@code $PAI_JOB_NAMES} is another one. */
    private static final Pattern NAMES =
            Pattern.compile("\\$PAI_(DEFAULT_FS_URI|JOB_NAME|USER_NAME|USERNAME)(?![A-Za-z0-9_])");

    /**
     * @param defaultFsUri the cluster's file system, without a slash at its end
     */
    public static Addresses of(PaiJob job, String user, String defaultFsUri) {
        String output =
                job.outputDir().isEmpty() ? FS_URI + "/Output/$PAI_JOB_NAME" : job.outputDir();
        return new Addresses(
                filled(job.authFile(), job, user, defaultFsUri),
                filled(job.dataDir(), job, user, defaultFsUri),
                filled(output, job, user, defaultFsUri),
                filled(job.codeDir(), job, user, defaultFsUri));
    }

    /** In one pass, so that a name that contains such a word is not looked at again. */
    private static String filled(String address, PaiJob job, String user, String defaultFsUri) {
        var uris = new AtomicInteger();
        return NAMES.matcher(address)
                .replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        switch (found.group(1)) {
                                            case "DEFAULT_FS_URI" ->
                                                    uris.incrementAndGet() == 1
                                                            ? defaultFsUri
                                                            : found.group();
                                            case "JOB_NAME" -> job.jobName();
                                            default -> user;
                                        }));
    }
}
