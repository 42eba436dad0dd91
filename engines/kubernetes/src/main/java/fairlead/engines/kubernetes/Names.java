package fairlead.engines.kubernetes;

import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.JobSpec;

import java.util.Locale;
import java.util.Optional;

/**
 * What the things of a job are called in the cluster. Every name follows from the attempt, so a
 * repeated call finds what an earlier one has made.
 */
final class Names {
    static final int LABEL_MAX = 63;
    private static final String PROJECT = "{project}";
    private static final int HEX_CHARACTERS = 8;

    /** With a dash and the job's digits it is as long as a name that a user may give. */
    private static final int STEM_MAX = 43;

    private Names() {}

    /** The nearest DNS label; empty when no letter or digit is left. */
    static String dns(String text) {
        return text.toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9-]", "-")
                .replaceAll("^-+|-+$", "");
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most).replaceAll("-+$", "");
    }

    /** What a label's value may be: most owners' names stay as they are. */
    static String label(String text) {
        String legal = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("^[._-]+", "");
        return legal.substring(0, Math.min(legal.length(), LABEL_MAX)).replaceAll("[._-]+$", "");
    }

    /** A label cannot start with a minus, so people write {@code 0-3} for -3. */
    static String priority(int priority) {
        return priority < 0 ? "0" + priority : Integer.toString(priority);
    }

    static int priority(String label) {
        String number = label.matches("0-\\d{1,9}") ? label.substring(1) : label;
        return number.matches("-?\\d{1,9}") ? Integer.parseInt(number) : 0;
    }

    static String namespace(String pattern, String project) {
        return pattern.replace(PROJECT, dns(project));
    }

    /** Why the project can have no namespace by this pattern; empty when it can. */
    static Optional<String> namespaceProblem(String pattern, String project) {
        String name = namespace(pattern, project);
        if (name.length() <= LABEL_MAX && name.matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?"))
            return Optional.empty();
        return Optional.of(
                "the project "
                        + project
                        + " would have the namespace '"
                        + name
                        + "', which is no DNS label: at most 63 lower case letters, digits and -");
    }

    /** The dice in a job's id. */
    static String hex(JobId job) {
        return job.text().substring(job.text().length() - HEX_CHARACTERS);
    }

    /** The job's time and dice: unlike the experiment's name they are DNS as they are. */
    private static String digits(JobId job) {
        String text = job.text();
        int dice = text.length() - HEX_CHARACTERS - 1;
        return text.substring(text.lastIndexOf('_', dice - 1) + 1, dice) + "-" + hex(job);
    }

    /**
     * Attempts after the first bear {@code -aN}, ranks after the first {@code -N}: {@code x},
     * {@code x-1}, {@code x-a2}, {@code x-a2-1}.
     */
    static String pod(AttemptId attempt, JobSpec spec, int rank) {
        String stem = cut(dns(spec.name()), STEM_MAX);
        String base =
                spec.container()
                        .details()
                        .podName()
                        .orElse((stem.isEmpty() ? "job" : stem) + "-" + hex(attempt.job()));
        String later = attempt.number() > 1 ? "-a" + attempt.number() : "";
        return base + later + (rank > 0 ? "-" + rank : "");
    }

    /** What all tasks of an attempt share: their secret, and the service by which they meet. */
    static String shared(AttemptId attempt) {
        return "fairlead-" + digits(attempt.job()) + "-" + attempt.number();
    }

    /** The login to the registry of its image. */
    static String login(AttemptId attempt) {
        return shared(attempt) + "-login";
    }

    /** The service that leads to an attempt's ports from outside. */
    static String ports(AttemptId attempt) {
        return shared(attempt) + "-ports";
    }

    /** Claims belong to the job, for all its attempts. */
    static String claim(JobId job, int mount) {
        return "fairlead-" + digits(job) + "-claim-" + mount;
    }

    /** A pod's host name: one label, while a pod may have dots. */
    static String host(String pod) {
        return cut(pod.replace('.', '-'), LABEL_MAX);
    }

    /** The hash keeps nodes apart whose names are too long to stand here. */
    static String reservation(String server, String node, int gpu) {
        String hash = "%08x".formatted((server + "/" + node).hashCode());
        return cut("fairlead-gpu-" + dns(node), STEM_MAX) + "-" + hash + "-" + gpu;
    }
}
