package fairlead.job;

/** Something that must become true outside. Owed by a state, so it may be carried out again. */
public sealed interface Effect {
    AttemptId attempt();

    /** Start all tasks of the job's attempt. */
    record Launch(Job job, Attempt place) implements Effect {
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
