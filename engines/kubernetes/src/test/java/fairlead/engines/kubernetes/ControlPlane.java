package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;

import java.io.Closeable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What runs beside a real API server, for the mock: the scheduler, the garbage collector, the
 * namespace controller, and the one that removes pods of lost nodes. One thread, which follows the
 * mock's history.
 */
final class ControlPlane implements Closeable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final String NOW = "{\"gracePeriodSeconds\":0}";

    private final MockApi api;
    private final TestScheduler scheduler;
    private final Thread thread;
    private final Map<String, HasMetadata> objects = new TreeMap<>();
    private volatile boolean closed;

    ControlPlane(MockApi api) {
        this.api = api;
        this.scheduler = new TestScheduler(api);
        this.thread = Thread.ofVirtual().start(this::run);
    }

    private void run() {
        long seen = 0;
        try {
            while (!closed) {
                for (var change : api.history().after(seen, PATIENCE)) {
                    follow(change);
                    seen = change.version();
                }
                try {
                    scheduler.look(objects);
                    collect();
                } catch (ApiError _) {
                    // Someone was faster: what is left is seen in the next round.
                }
            }
        } catch (InterruptedException _) {
            // It is closed.
        }
    }

    private void follow(WatchHistory.Change change) {
        if (change.after() == null) {
            objects.remove(change.path());
            return;
        }
        Class<? extends HasMetadata> type =
                switch (ApiCall.of("GET", change.path()).plural()) {
                    case "pods" -> Pod.class;
                    case "nodes" -> Node.class;
                    default -> GenericKubernetesResource.class;
                };
        objects.put(change.path(), Serialization.unmarshal(change.object(), type));
    }

    private void collect() throws ApiError {
        Set<String> uids = new HashSet<>();
        Set<String> nodes = new HashSet<>();
        Set<String> inhabited = new HashSet<>();
        Set<String> ending = new HashSet<>();
        for (HasMetadata each : objects.values()) {
            var metadata = each.getMetadata();
            uids.add(metadata.getUid());
            if (each instanceof Node) nodes.add(metadata.getName());
            if (metadata.getNamespace() != null) inhabited.add(metadata.getNamespace());
            if (isNamespace(each) && each.isMarkedForDeletion()) ending.add(metadata.getName());
        }
        for (var each : objects.entrySet()) {
            ApiCall call = ApiCall.of("DELETE", each.getKey());
            HasMetadata object = each.getValue();
            boolean deleted = object.isMarkedForDeletion();
            if (object instanceof Pod pod && lost(pod, nodes)) {
                Long grace = object.getMetadata().getDeletionGracePeriodSeconds();
                if (grace == null || grace > 0) api.deleteAs(call, NOW);
            } else if (!deleted && (ownerless(object, uids) || ending.contains(call.namespace()))) {
                api.deleteAs(call, "");
            } else if (isNamespace(object) && deleted && !inhabited.contains(call.name())) {
                api.endNamespace(call);
            }
        }
    }

    private static boolean isNamespace(HasMetadata object) {
        return object.getKind().equals("Namespace");
    }

    private static boolean lost(Pod pod, Set<String> nodes) {
        String node = pod.getSpec().getNodeName();
        return node != null && !node.isEmpty() && !nodes.contains(node);
    }

    /** It had owners, and none of them is left. */
    private static boolean ownerless(HasMetadata object, Set<String> uids) {
        var owners = object.getMetadata().getOwnerReferences();
        return !owners.isEmpty()
                && owners.stream().noneMatch(owner -> uids.contains(owner.getUid()));
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the end of a test", e);
        }
    }
}
