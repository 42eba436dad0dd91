package fairlead.journals.sql;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Who looks after a journal while its server runs. */
public interface Upkeep {
    void start();

    void stop(Duration patience) throws InterruptedException;

    /** What is wrong with it and what to do about it; empty as long as nothing is known. */
    Optional<String> damage();

    /** What is known of it, in words. */
    String words();

    Optional<Path> newestCopy();
}
