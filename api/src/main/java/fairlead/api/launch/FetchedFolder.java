package fairlead.api.launch;

import java.util.Optional;

/** A folder of a storage that tasks need before they start. */
public interface FetchedFolder {
    /** What the job's file calls it, for messages. */
    String field();

    /** As the job's file has it. */
    String asked();

    /** Where it is. */
    String address();

    /** In whose name it is fetched. */
    String user();

    /** What it is called in the folder where the tasks begin. */
    String name() throws Misfit;

    /** Why a folder of that size is not taken, if it is not. */
    Optional<String> refusal(long bytes);
}
