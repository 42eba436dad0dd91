package fairlead.engines.kubernetes;

import fairlead.job.Exit;

import java.time.Instant;

/** One task of a live attempt. Guarded by its attempt. */
final class LiveTask {
    final AttemptRecord.Task record;

    /** The end as it was first seen, while its log is still on the way; null before. */
    Exit seen;

    /** The same, written down and visible to others; from then on it never changes. */
    Exit exit;

    /** Copies the log; null before there is one. */
    LogCopier copier;

    /** Since when the pod fails to start; null when nothing is wrong. */
    Instant troubleSince;

    /** Of what kind it is; null when nothing is wrong. */
    PodState.Trouble.Kind troubleKind;

    /** What is wrong; empty when nothing is. */
    String trouble = "";

    /** When the cluster was last asked why a slow pod does not start; null before. */
    Instant askedAt;

    /** What it said then; empty: nothing is wrong. */
    String answer = "";

    /** Since when the pod is missing although everything was made; null when it is not. */
    Instant missingSince;

    /** Where its pod is reached; empty before it has an address. */
    String address = "";

    boolean isStarted;

    LiveTask(AttemptRecord.Task record) {
        this.record = record;
    }
}
