package fairlead.engines.kubernetes.apiserver;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.utils.Serialization;

/**
 * How a command in a pod has ended, as the cluster reports it in the last message.
 *
 * @param code as a shell reports it
 * @param words why it did not run or broke off; empty when it ended by itself
 */
public record PodStatus(int code, String words) {
    /** As a shell reports SIGKILL: the pod went away under it. */
    public static final int KILLED = 137;

    private static final int CANNOT_RUN = 126;
    private static final int NOT_FOUND = 127;

    /**
     * @param text a Status in JSON; empty when the connection ended before it came
     */
    public static PodStatus of(String text) {
        if (text.isBlank()) return new PodStatus(KILLED, "");
        Status status;
        try {
            status = Serialization.unmarshal(text, Status.class);
        } catch (IllegalArgumentException _) {
            // The kubelet's own words, where it could not even begin.
            return new PodStatus(CANNOT_RUN, text.strip());
        }
        if ("Success".equals(status.getStatus())) return new PodStatus(0, "");
        String words = status.getMessage() == null ? text.strip() : status.getMessage();
        if (status.getDetails() != null && status.getDetails().getCauses() != null) {
            for (var cause : status.getDetails().getCauses()) {
                boolean isCode = "ExitCode".equals(cause.getReason());
                if (isCode && cause.getMessage().matches("\\d{1,3}"))
                    return new PodStatus(Integer.parseInt(cause.getMessage()), "");
            }
        }
        boolean isMissing =
                words.contains("not found") || words.contains("no such file or directory");
        return new PodStatus(isMissing ? NOT_FOUND : CANNOT_RUN, words);
    }
}
