package fairlead.engine;

import fairlead.job.JobSpec;

import java.util.List;
import java.util.Optional;

/** What an engine can do for a job, what it refuses, and what people should know of it. */
public interface Terms {
    /**
     * Of an engine that runs plain processes on the server's machine, and anything that is asked.
     */
    Terms PLAIN =
            new Terms() {
                @Override
                public Optional<String> refuses(JobSpec spec) {
                    return Optional.empty();
                }

                @Override
                public boolean runsImages() {
                    return false;
                }

                @Override
                public boolean runsHere() {
                    return true;
                }

                @Override
                public List<String> notes() {
                    return List.of();
                }

                @Override
                public List<String> notes(JobSpec spec) {
                    return List.of();
                }

                @Override
                public List<String> warnings(JobSpec spec) {
                    return List.of();
                }
            };

    /**
     * Why this engine can never run the spec, in words for its owner; empty when it may. Facts that
     * can change until the job starts, such as a missing folder, are no refusal.
     */
    Optional<String> refuses(JobSpec spec);

    /**
     * Whether tasks run inside their images: then a job without a working folder begins in its
     * image's own, and a job without an image may be refused.
     */
    boolean runsImages();

    /**
     * Whether tasks run on the server's own machine: then those outside images see its files, and
     * all of them reach it where it listens.
     */
    boolean runsHere();

    /** Facts about this engine that users should know, such as limits that it cannot enforce. */
    List<String> notes();

    /** The same for the owner of a job: also what in its spec this engine passes over. */
    List<String> notes(JobSpec spec);

    /** What the owner of a job must know at once, as the engine does not do what the spec says. */
    List<String> warnings(JobSpec spec);
}
