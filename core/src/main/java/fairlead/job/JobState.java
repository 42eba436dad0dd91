package fairlead.job;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Where a job stands. Each state holds exactly the facts that are true in it. */
public sealed interface JobState {
    /**
     * Waits for a place; not before a pause after a failure is over, which is long ago for most.
     */
    record Queued(Instant since, Instant notBefore) implements JobState {
        /** Later than any pause: nobody knows yet when it may be in the queue. */
        private static final Instant HELD = Instant.parse("9999-12-31T23:59:59Z");

        /** Waits for other jobs first, as its spec says, and is not in the queue. */
        public static Queued held(Instant since) {
            return new Queued(since, HELD);
        }

        public boolean isHeld() {
            return notBefore.equals(HELD);
        }
    }

    /** Has a place; the engine has not yet shown it running. */
    record Starting(Attempt attempt, Instant since, Map<TaskId, Exit> exits) implements Active {
        public Starting {
            exits = Active.sorted(exits);
        }
    }

    record Running(Attempt attempt, Instant since, Map<TaskId, Exit> exits) implements Active {
        public Running {
            exits = Active.sorted(exits);
        }
    }

    record Stopping(Attempt attempt, StopReason reason, Instant since, Map<TaskId, Exit> exits)
            implements Active {
        public Stopping {
            exits = Active.sorted(exits);
        }
    }

    /** Over for good. Keeps the last attempt, if there was one, for whoever asks where it ran. */
    record Finished(Outcome outcome, Instant at, Optional<Attempt> last, Map<TaskId, Exit> exits)
            implements JobState {
        public Finished {
            exits = Active.sorted(exits);
        }
    }

    /** States in which the job holds its GPUs. */
    sealed interface Active extends JobState permits Starting, Running, Stopping {
        Attempt attempt();

        Instant since();

        /** The tasks of this attempt that have ended so far. */
        Map<TaskId, Exit> exits();

        private static Map<TaskId, Exit> sorted(Map<TaskId, Exit> exits) {
            return Collections.unmodifiableMap(new TreeMap<>(exits));
        }
    }

    /** The one word that people and programs see. */
    default String word() {
        return switch (this) {
            case Queued _ -> "queued";
            case Starting _ -> "starting";
            case Running _ -> "running";
            case Stopping _ -> "stopping";
            case Finished(Outcome outcome, _, _, _) ->
                    switch (outcome.kind()) {
                        case SUCCEEDED -> "succeeded";
                        case FAILED -> "failed";
                        case CANCELLED -> "cancelled";
                    };
        };
    }
}
