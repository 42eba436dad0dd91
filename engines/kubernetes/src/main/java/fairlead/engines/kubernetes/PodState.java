package fairlead.engines.kubernetes;

import fairlead.job.Exit;

import java.util.Optional;

/** Where a task's pod stands. */
sealed interface PodState {
    /** Not started yet. */
    record Waiting(Optional<Trouble> trouble) implements PodState {}

    record Running() implements PodState {}

    /**
     * @param hasLog whether there may be a log to wait for
     */
    record Ended(Exit exit, boolean hasLog) implements PodState {}

    /**
     * Why a pod does not start, in the cluster's own words.
     *
     * @param kind what becomes of it when it stays
     */
    record Trouble(Kind kind, String message) {
        enum Kind {
            /** The job's own: an image or a mount that is not there. */
            JOB,
            /** The same, and it cannot pass. */
            HOPELESS,
            /** The cluster's: there is no room where we have thought so. */
            PLACE,
            /**
             * The cluster's: there will be room, once the pods that it stops for ours have gone.
             */
            SOON,
            /** The cluster's: another queue has not admitted it yet, for as long as it likes. */
            QUEUED
        }

        /** Whether it only says that there will be another try, and not what went wrong. */
        boolean isPause() {
            return message.startsWith("ImagePullBackOff");
        }
    }
}
