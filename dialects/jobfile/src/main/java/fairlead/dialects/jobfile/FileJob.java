package fairlead.dialects.jobfile;

import fairlead.api.spec.SpecBody;

import java.util.List;
import java.util.Optional;

/**
 * One job of a file.
 *
 * @param remarks what the file asks for and will not get, a line each
 * @param kind what the file was
 * @param labelledUser whose job a pod file says that it is
 */
public record FileJob(
        SpecBody spec,
        Lines lines,
        List<String> remarks,
        Kind kind,
        Optional<String> labelledUser) {
    /** The kinds of job files. */
    public enum Kind {
        OURS,
        OPENPAI,
        POD
    }
}
