package fairlead.api.submit;

import java.util.List;

/** How files of jobs are read. Any thread. */
@FunctionalInterface
public interface FileForm {
    /**
     * All jobs of a file, at least one.
     *
     * @param user whose jobs they are to be, where the form of the file says it in a job's origin
     */
    List<PostedJob> read(String text, String user) throws BadForm;
}
