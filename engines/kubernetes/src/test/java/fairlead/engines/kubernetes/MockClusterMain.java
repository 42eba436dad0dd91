package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A mock cluster for bench/kubernetes.py: arguments are a folder, a number of nodes and the GPUs of
 * each. Says {@code ready KUBECONFIG}, and then answers each line of its input with one line of
 * JSON: {@code calls} (how often each verb was asked of each resource, and start anew), {@code
 * pods} (when the pod of each job was first seen, in milliseconds of the epoch), {@code gangs} (the
 * same with the last one), {@code running} (how many pods run where nobody has drained) or {@code
 * drain N} (so many nodes that have pods; answers how many pods these were). Ends with its input.
 */
public final class MockClusterMain {
    private MockClusterMain() {}

    public static void main(String[] arguments) throws IOException {
        var nodes =
                IntStream.range(0, Integer.parseInt(arguments[1]))
                        .mapToObj(i -> TestNode.withGpus("n" + i, Integer.parseInt(arguments[2])))
                        .toArray(TestNode[]::new);
        Map<String, Long> seen = new ConcurrentHashMap<>();
        Map<String, Long> last = new ConcurrentHashMap<>();
        Set<String> drained = new HashSet<>();
        try (var cluster = TestCluster.mock(Path.of(arguments[0]), nodes);
                var _ = cluster.client().pods().inAnyNamespace().watch(noting(seen, last));
                var input =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            Tally tally = cluster.front().orElseThrow().tally();
            System.out.println("ready " + cluster.kubeconfig());
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                switch (line.split(" ")[0]) {
                    case "calls" -> {
                        System.out.println(json(tally.byVerb()));
                        tally.reset();
                    }
                    case "pods" -> System.out.println(json(seen));
                    case "gangs" ->
                            System.out.println(
                                    seen.keySet().stream()
                                            .map(
                                                    job ->
                                                            "\"%s\":[%d,%d]"
                                                                    .formatted(
                                                                            job,
                                                                            seen.get(job),
                                                                            last.get(job)))
                                            .collect(Collectors.joining(",", "{", "}")));
                    case "running" -> System.out.println(running(cluster, drained).size());
                    case "drain" -> {
                        var emptied =
                                running(cluster, drained).stream()
                                        .map(pod -> pod.getSpec().getNodeName())
                                        .distinct()
                                        .limit(Integer.parseInt(line.split(" ")[1]))
                                        .toList();
                        long there =
                                running(cluster, drained).stream()
                                        .filter(
                                                pod ->
                                                        emptied.contains(
                                                                pod.getSpec().getNodeName()))
                                        .count();
                        drained.addAll(emptied);
                        emptied.forEach(cluster::drain);
                        System.out.println(there);
                    }
                    default -> throw new IllegalArgumentException(line);
                }
            }
        }
    }

    /** Pods of jobs that run where nobody has drained. */
    private static List<Pod> running(TestCluster cluster, Set<String> drained) {
        return cluster.client().pods().inAnyNamespace().list().getItems().stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> !drained.contains(pod.getSpec().getNodeName()))
                .toList();
    }

    private static Watcher<Pod> noting(Map<String, Long> seen, Map<String, Long> last) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, Pod pod) {
                String job = pod.getMetadata().getAnnotations().get("fairlead/job");
                if (action != Action.ADDED || job == null) return;
                seen.putIfAbsent(job, System.currentTimeMillis());
                last.put(job, System.currentTimeMillis());
            }

            @Override
            public void onClose(WatcherException why) {
                throw new IllegalStateException(why);
            }
        };
    }

    /** Keys are names of jobs and resources, which need no escapes. */
    private static String json(Map<String, Long> numbers) {
        return numbers.entrySet().stream()
                .map(each -> "\"" + each.getKey() + "\":" + each.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
