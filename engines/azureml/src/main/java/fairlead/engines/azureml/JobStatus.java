package fairlead.engines.azureml;

/** Where a job stands in Azure's eyes, as far as it matters here. */
enum JobStatus {
    /** Accepted, or its image is built. */
    STARTING,
    /** Waits for machines. */
    QUEUED,
    /** Its command runs, or has ended and its outputs are collected. */
    RUNNING,
    COMPLETED,
    FAILED,
    CANCELED,
    /** Something that says nothing new: keep looking. */
    OTHER;

    /** The words are an open list: new ones may come with any answer. */
    static JobStatus of(String word) {
        return switch (word) {
            case "NotStarted", "Starting", "Provisioning", "Preparing" -> STARTING;
            case "Queued" -> QUEUED;
            case "Running", "Finalizing" -> RUNNING;
            case "Completed" -> COMPLETED;
            case "Failed" -> FAILED;
            case "Canceled" -> CANCELED;
            // CancelRequested, NotResponding, Paused, Unknown.
            default -> OTHER;
        };
    }

    boolean isEnd() {
        return this == COMPLETED || this == FAILED || this == CANCELED;
    }
}
