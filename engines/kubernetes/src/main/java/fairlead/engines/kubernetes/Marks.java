package fairlead.engines.kubernetes;

import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import io.fabric8.kubernetes.api.model.Pod;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is written on a task's pod, by which any later server knows it again.
 *
 * @param rank the task's place in the attempt
 * @param tasks how many the attempt has
 * @param gpus the slots that it holds on its node
 */
record Marks(AttemptId attempt, TaskId task, int rank, int tasks, List<Integer> gpus) {
    static final String SERVER = "fairlead/server";
    static final String RANK = "fairlead/task";
    static final String HEX = "fairlead/hex";

    /** The job's name, for people who list pods. */
    static final String NAME = "fairlead/name";

    static final String SHARED = "fairlead/shared";
    static final String USER = "user";
    static final String PRIORITY = "priority";
    static final String JOB = "fairlead/job";
    static final String ATTEMPT = "fairlead/attempt";
    static final String ROLE = "fairlead/role";
    static final String INDEX = "fairlead/index";
    static final String TASKS = "fairlead/tasks";
    static final String GPUS = "fairlead/gpus";

    /** On the first pod of an attempt: the ports that its tasks know. */
    static final String PORTS = "fairlead/ports";

    /** Annotations of a pod have 256 KiB together; a gang that needs more is not told. */
    static final int PORTS_MAX = 20_000;

    /** On pods that hold a GPU for others. */
    static final String RESERVATION = "fairlead/reservation";

    static final String NODE = "fairlead/node";

    /** Holds a pod until its exit and its log are known here. */
    static final String FINALIZER = "fairlead/seen";

    /** The container of the task; others may stand beside it. */
    static final String CONTAINER = "task";

    static String label(Pod pod, String name) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault(name, "");
    }

    static String annotation(Pod pod, String name) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(name, "");
    }

    static boolean isReservation(Pod pod) {
        return !label(pod, RESERVATION).isEmpty();
    }

    static boolean hasFinalizer(Pod pod) {
        List<String> finalizers = pod.getMetadata().getFinalizers();
        return finalizers != null && finalizers.contains(FINALIZER);
    }

    /** Somebody has let go of it for good, so its end is of no interest any more. */
    static boolean isForgotten(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null && !hasFinalizer(pod);
    }

    /** Empty for pods that are no tasks, also for those that somebody has marked by hand. */
    static Optional<Marks> of(Pod pod) {
        try {
            var attempt =
                    new AttemptId(
                            new JobId(annotation(pod, JOB)),
                            Integer.parseInt(annotation(pod, ATTEMPT)));
            var task = new TaskId(annotation(pod, ROLE), Integer.parseInt(annotation(pod, INDEX)));
            int rank = Integer.parseInt(label(pod, RANK));
            int tasks = Integer.parseInt(annotation(pod, TASKS));
            if (rank < 0 || rank >= tasks) return Optional.empty();
            return Optional.of(new Marks(attempt, task, rank, tasks, gpus(pod)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    static List<Integer> gpus(Pod pod) {
        return numbers(annotation(pod, GPUS));
    }

    static List<Integer> ports(Pod pod) {
        return numbers(annotation(pod, PORTS));
    }

    static String text(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static List<Integer> numbers(String text) {
        var numbers = new ArrayList<Integer>();
        for (String number : text.split(",")) {
            if (number.matches("\\d{1,6}")) numbers.add(Integer.parseInt(number));
        }
        return numbers;
    }
}
