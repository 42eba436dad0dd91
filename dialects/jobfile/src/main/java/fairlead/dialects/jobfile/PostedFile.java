package fairlead.dialects.jobfile;

import fairlead.api.submit.PostedJob;
import fairlead.dialects.openpai.PaiOrigin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A job file of any kind as it is posted to a server, which does not know what it is called. */
public final class PostedFile {
    private static final String NAME = "file";

    private PostedFile() {}

    /**
     * All jobs of a file, at least one.
     *
     * @param user a part of the keys of OpenPAI's jobs
     */
    public static List<PostedJob> read(String text, String user) throws BadJobFile {
        var jobs = new ArrayList<PostedJob>();
        for (FileJob job : JobFileReader.read(NAME, text))
            jobs.add(
                    new PostedJob(
                            job.kind().name().toLowerCase(Locale.ROOT),
                            PaiOrigin.owned(job.spec(), user),
                            job.remarks(),
                            job.lines()::line));
        return jobs;
    }
}
