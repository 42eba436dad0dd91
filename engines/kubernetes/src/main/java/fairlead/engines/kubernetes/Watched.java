package fairlead.engines.kubernetes;

import fairlead.engine.EngineException;
import fairlead.engines.kubernetes.apiserver.Problems;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * All pods and nodes of the cluster, kept up to date by two watches that renew themselves. Nothing
 * here calls the API server when it is asked. Any thread may ask; news comes on the client's
 * threads.
 */
final class Watched implements Closeable {
    /** A watch is renewed every few minutes; what it takes is no outage. */
    private static final Duration BLINK = Duration.ofSeconds(4);

    /** A pod that we have made and that the watch has not shown by then was gone at once. */
    private static final Duration SHOWN_WITHIN = Duration.ofSeconds(10);

    /** A list from a lagging API server may miss a new node for a moment. */
    private static final Duration ABSENT_PATIENCE = Duration.ofSeconds(2);

    private static final Duration LOOK_EVERY = Duration.ofMillis(5);
    private static final Duration ASK_EVERY = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final String server;
    private final SharedIndexInformer<Pod> pods;
    private final Optional<SharedIndexInformer<Node>> nodes;
    private final Optional<SharedIndexInformer<ResourceQuota>> quotas;
    private final Blind blind;
    private final Optional<KubernetesSettings.Shape> growth;
    private final Consumer<Optional<Pod>> listener;
    private final ConcurrentHashMap<String, Made> made = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Long> absentNanos = new ConcurrentHashMap<>();
    private final AtomicReference<Throwable> problem = new AtomicReference<>();
    private final AtomicLong version = new AtomicLong();
    private final AtomicLong askedNanos = new AtomicLong(System.nanoTime() - ASK_EVERY.toNanos());
    private volatile long lastWatchedNanos = System.nanoTime();
    private volatile boolean hasSynced;

    private record Made(Pod pod, long atNanos) {}

    /**
     * @param listener called with each pod of ours that has changed, and with nothing when
     *     something else of interest has; must not block
     */
    Watched(
            KubernetesSettings settings,
            Cluster cluster,
            String server,
            Consumer<Optional<Pod>> listener) {
        this.cluster = cluster;
        this.server = server;
        this.listener = listener;
        this.growth = settings.rules().autoscaler();
        this.blind = new Blind(settings.rules().nodes(), server);
        var client = cluster.client();
        boolean isAll = settings.rules().sight() == KubernetesSettings.Sight.CLUSTER;
        this.pods =
                isAll
                        ? client.pods().inAnyNamespace().runnableInformer(0)
                        : client.pods().inNamespace(settings.namespace()).runnableInformer(0);
        this.nodes = isAll ? Optional.of(client.nodes().runnableInformer(0)) : Optional.empty();
        this.quotas =
                isAll
                        ? Optional.empty()
                        : Optional.of(
                                client.resourceQuotas()
                                        .inNamespace(settings.namespace())
                                        .runnableInformer(0));
    }

    private List<SharedIndexInformer<?>> informers() {
        var all = new ArrayList<SharedIndexInformer<?>>();
        all.add(pods);
        nodes.ifPresent(all::add);
        quotas.ifPresent(all::add);
        return all;
    }

    void start() {
        pods.addEventHandler(new Handler<>(this::podChanged));
        nodes.ifPresent(all -> all.addEventHandler(new Handler<>(this::nodeChanged)));
        quotas.ifPresent(all -> all.addEventHandler(new Handler<>(this::quotaChanged)));
        for (var informer : informers()) {
            informer.exceptionHandler(
                    (_, cause) -> {
                        problem.set(cause);
                        return true;
                    });
            informer.start();
        }
    }

    /**
     * Returns once everything is known, or the cluster has failed to answer, or the time is over.
     */
    void awaitSync(Duration most) {
        long deadline = System.nanoTime() + most.toNanos();
        while (!isInSync() && problem.get() == null && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    /** Whether what we know is, but for moments, what is. */
    boolean isInSync() {
        if (!hasSynced) {
            if (!informers().stream().allMatch(SharedIndexInformer::hasSynced)) return false;
            hasSynced = true;
            lastWatchedNanos = System.nanoTime();
        }
        if (informers().stream().allMatch(SharedIndexInformer::isWatching)) {
            lastWatchedNanos = System.nanoTime();
            problem.set(null);
            return true;
        }
        // One that lives shows that the server does, and the other has not said that it broke.
        boolean isOneAlive = informers().stream().anyMatch(SharedIndexInformer::isWatching);
        if (isOneAlive && problem.get() == null) {
            lastWatchedNanos = System.nanoTime();
            return true;
        }
        return System.nanoTime() - lastWatchedNanos < BLINK.toNanos() || answers();
    }

    /**
     * A new watch counts as one only once it has said something, which takes up to a minute where
     * nothing happens; until then the server is asked for a sign of life.
     */
    private boolean answers() {
        long now = System.nanoTime();
        long last = askedNanos.get();
        boolean isTurn = now - last >= ASK_EVERY.toNanos() && askedNanos.compareAndSet(last, now);
        if (!isTurn) return problem.get() == null;
        var silence = cluster.silence();
        problem.set(silence.orElse(null));
        if (silence.isEmpty()) lastWatchedNanos = System.nanoTime();
        return silence.isEmpty();
    }

    void requireSync() throws EngineException {
        if (isInSync()) return;
        Throwable cause = problem.get();
        if (cause == null) throw new EngineException(cluster.unreachable("no answer yet"));
        String line = Problems.line(cause);
        throw new EngineException(
                Problems.isAnswer(cause) ? cluster.unwatchable(line) : cluster.unreachable(line));
    }

    /** Grows whenever nodes, or pods that count, have changed. */
    long version() {
        return version.get();
    }

    Collection<Pod> pods() {
        return pods.getStore().list();
    }

    Collection<Node> nodes() {
        if (nodes.isPresent()) {
            var all = new ArrayList<>(nodes.get().getStore().list());
            all.addAll(Growth.nodes(growth));
            return all;
        }
        return blind.nodes(quotas.orElseThrow().getStore().list(), pods());
    }

    /** What cannot be known of the cluster, in words for people; none where all is seen. */
    List<String> unknowns() {
        return nodes.isPresent()
                ? List.of()
                : blind.unknowns(quotas.orElseThrow().getStore().list());
    }

    Optional<Node> node(String name) {
        return nodes.map(all -> all.getStore().getByKey(name));
    }

    PodReading.NodeHealth health(String node) {
        // Of nodes that nobody shows us the cluster itself says that they are lost.
        boolean isUnseen = nodes.isEmpty() || node != null && Growth.isNew(node);
        if (node == null || node.isEmpty() || isUnseen) return PodReading.NodeHealth.READY;
        var found = node(node);
        if (found.isPresent()) {
            absentNanos.remove(node);
            return Capacity.health(found.get());
        }
        long now = System.nanoTime();
        long since = absentNanos.computeIfAbsent(node, _ -> now);
        return now - since > ABSENT_PATIENCE.toNanos()
                ? PodReading.NodeHealth.GONE
                : PodReading.NodeHealth.READY;
    }

    /** The pod as last seen; one that we have just made is seen at once. */
    Optional<Pod> pod(String namespace, String name) {
        String key = namespace + "/" + name;
        Pod seen = pods.getStore().getByKey(key);
        Made fresh = made.get(key);
        if (fresh == null) return Optional.ofNullable(seen);
        boolean isShown =
                seen != null
                        && Objects.equals(
                                seen.getMetadata().getUid(), fresh.pod.getMetadata().getUid());
        if (isShown || System.nanoTime() - fresh.atNanos > SHOWN_WITHIN.toNanos()) {
            made.remove(key, fresh);
            return Optional.ofNullable(seen);
        }
        return Optional.of(fresh.pod);
    }

    /** All that bear our mark. */
    List<Pod> ours() {
        var found = new HashMap<String, Pod>();
        made.values().forEach(each -> found.put(key(each.pod), each.pod));
        for (Pod pod : pods()) {
            if (Marks.label(pod, Marks.SERVER).equals(server)) found.put(key(pod), pod);
        }
        return List.copyOf(found.values());
    }

    void made(Pod pod) {
        made.put(key(pod), new Made(pod, System.nanoTime()));
    }

    private static String key(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    private void podChanged(Optional<Pod> before, Optional<Pod> now) {
        Pod pod = now.or(() -> before).orElseThrow();
        if (now.isEmpty()) made.remove(key(pod));
        if (Marks.label(pod, Marks.SERVER).equals(server)) {
            if (!before.map(Watched::holds).equals(now.map(Watched::holds)))
                version.incrementAndGet();
            listener.accept(Optional.of(pod));
        } else if (!before.map(Watched::countsAs).equals(now.map(Watched::countsAs))) {
            version.incrementAndGet();
            listener.accept(Optional.empty());
        }
    }

    /** What of a pod of ours concerns its node. */
    private static List<Object> holds(Pod pod) {
        return List.of(
                Marks.annotation(pod, Marks.NODE),
                Marks.annotation(pod, Marks.GPUS),
                Capacity.isEnded(pod),
                Marks.isForgotten(pod));
    }

    /** What of somebody else's pod concerns us. */
    private static List<Object> countsAs(Pod pod) {
        return List.of(
                Objects.requireNonNullElse(Capacity.place(pod), ""),
                Capacity.isEnded(pod),
                Marks.label(pod, Marks.USER),
                Marks.label(pod, Marks.PRIORITY));
    }

    private void nodeChanged(Optional<Node> before, Optional<Node> now) {
        if (before.map(Watched::countsAs).equals(now.map(Watched::countsAs))) return;
        version.incrementAndGet();
        listener.accept(Optional.empty());
    }

    private void quotaChanged(Optional<ResourceQuota> before, Optional<ResourceQuota> now) {
        if (before.map(ResourceQuota::getSpec).equals(now.map(ResourceQuota::getSpec))) return;
        version.incrementAndGet();
        listener.accept(Optional.empty());
    }

    /** Heartbeats change none of these. */
    private static List<Object> countsAs(Node node) {
        var status = node.getStatus();
        var spec = node.getSpec();
        return List.of(
                Capacity.health(node),
                status == null || status.getAllocatable() == null
                        ? List.of()
                        : status.getAllocatable(),
                spec == null || spec.getTaints() == null ? List.of() : spec.getTaints(),
                Objects.requireNonNullElse(node.getMetadata().getLabels(), List.of()));
    }

    @Override
    public void close() {
        informers().forEach(SharedIndexInformer::stop);
    }

    private interface Change<T> {
        void from(Optional<T> before, Optional<T> now);
    }

    private record Handler<T extends HasMetadata>(Change<T> change)
            implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T now) {
            change.from(Optional.empty(), Optional.of(now));
        }

        @Override
        public void onUpdate(T before, T now) {
            change.from(Optional.of(before), Optional.of(now));
        }

        @Override
        public void onDelete(T before, boolean isUnknown) {
            change.from(Optional.of(before), Optional.empty());
        }
    }
}
