package fairlead.cli.spec;

import fairlead.cli.terminal.UsageException;
import fairlead.dialects.jobfile.BadJobFile;
import fairlead.dialects.jobfile.FileJob;
import fairlead.dialects.jobfile.JobFileReader;

import java.util.ArrayList;
import java.util.List;

/** The jobs of a file as drafts, over which options say more. */
public final class SpecFile {
    public static final int BYTES_MAX = JobFileReader.BYTES_MAX;

    private SpecFile() {}

    /**
     * Reads the jobs of a text.
     *
     * @param file what messages call it
     */
    public static List<Draft> read(String file, String text) throws UsageException {
        try {
            var drafts = new ArrayList<Draft>();
            for (FileJob job : JobFileReader.read(file, text)) drafts.add(new Draft(job));
            return drafts;
        } catch (BadJobFile bad) {
            throw new UsageException(bad.getMessage());
        }
    }

    /** A job of OpenPAI, in whose key the user is yet to be put in. */
    public static Draft openPai(String file, String text) throws UsageException {
        try {
            return new Draft(JobFileReader.openPai(file, text));
        } catch (BadJobFile bad) {
            throw new UsageException(bad.getMessage());
        }
    }
}
