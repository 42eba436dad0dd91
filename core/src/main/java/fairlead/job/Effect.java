package fairlead.job;

import java.util.Optional;

/** Something that must become true outside. Owed by a state, so it may be carried out again. */
public sealed interface Effect {
    AttemptId attempt();

    /**
     * Start all tasks of the job's attempt.
     *
     * @param login for the registry of the job's image, if it needs one
     */
    record Launch(Job job, Attempt place, Optional<ImageLogin> login) implements Effect {
        public Launch(Job job, Attempt place) {
            this(job, place, Optional.empty());
        }

        /** The same for a job that asks for something else. */
        public Launch asking(JobSpec spec) {
            return new Launch(job.asking(spec), place, login);
        }

        public Launch with(ImageLogin other) {
            return new Launch(job, place, Optional.of(other));
        }

        @Override
        public AttemptId attempt() {
            return place.id();
        }
    }

    /** Stop all tasks of the attempt: politely, then by force. */
    record Stop(AttemptId attempt) implements Effect {}

    /** Stop whatever still runs of an attempt that nobody owns, and no longer report it. */
    record Forget(AttemptId attempt) implements Effect {}
}
