package fairlead.cli.act.verb;

/** How a job stands, in the words of ACT and in those of Philly. */
public final class ActStatus {
    private ActStatus() {}

    static String act(String state) {
        return switch (state) {
            case "queued", "starting" -> "Queued";
            case "running" -> "Running";
            case "stopping" -> "CancelRequested";
            case "succeeded" -> "Completed";
            case "failed" -> "Failed";
            case "cancelled" -> "Canceled";
            default -> state;
        };
    }

    public static String philly(String state) {
        return switch (state) {
            case "queued", "starting" -> "Queued";
            case "running", "stopping" -> "Running";
            case "succeeded" -> "Pass";
            case "failed" -> "Failed";
            case "cancelled" -> "Killed";
            default -> state;
        };
    }
}
