package fairlead.policies;

import java.util.Locale;

/** What a policy knows about the run times of jobs. Results compare only among equals. */
public enum Knowledge {
    /** What a job asks for and how long it has run so far. */
    NOTHING,

    /** Also what was declared, and what was measured in the job's own past. */
    PROFILED,

    /** Also the future. */
    ORACLE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
