package fairlead.engines.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;

import fairlead.engine.EngineException;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Pods that hold a whole GPU for tasks which share it, one for each such GPU. The cluster knows no
 * parts of GPUs, so this pod asks for the GPU, says in its log which one it got, and sleeps. It is
 * found again by its marks, and goes when its last sharer has gone.
 */
final class Reservations {
    /** By this the container's runtime knows which GPUs to show. */
    static final String VISIBLE = "NVIDIA_VISIBLE_DEVICES";

    /** One GPU of a node. */
    record Slot(String node, int gpu) {}

    private static final String SAYS = "fairlead-gpu ";

    /**
     * A plugin names the GPU by its id, or puts its device into the container, or both. Where GPUs
     * are only declared, as on a cluster for trials, there is none to be seen.
     */
    private static final String SCRIPT =
            """
            case "$NVIDIA_VISIBLE_DEVICES" in
            GPU-*|MIG-*|[0-9]*) echo "fairlead-gpu $NVIDIA_VISIBLE_DEVICES" ;;
            *) found=void
            for device in /dev/nvidia[0-9]*; do
                [ ! -e "$device" ] || found=${device#/dev/nvidia}
            done
            echo "fairlead-gpu $found" ;;
            esac
            trap 'exit 0' TERM
            while :; do sleep 3600 & wait $!; done
            """;

    /** A pod of an image that the node has is up by then; otherwise the launch is repeated. */
    private static final Duration UP_WITHIN = Duration.ofSeconds(3);

    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final int LOG_BYTES_MAX = 64 << 10;

    /** It has nothing to save. */
    static final int GRACE_SECONDS = 1;

    private final KubernetesSettings settings;
    private final Optional<ObjectNode> template;
    private final String server;
    private final Cluster cluster;
    private final Watched watched;
    private final Map<String, String> devices = new ConcurrentHashMap<>();
    private final Map<Slot, Object> slots = new ConcurrentHashMap<>();

    Reservations(
            KubernetesSettings settings,
            Optional<ObjectNode> template,
            String server,
            Cluster cluster,
            Watched watched) {
        this.settings = settings;
        this.template = template;
        this.server = server;
        this.cluster = cluster;
        this.watched = watched;
    }

    /**
     * The device behind the slot, as the runtime knows it. Makes the pod if there is none.
     *
     * @throws EngineException while it is not up, with the reason
     */
    String device(String namespace, Slot slot) throws EngineException, Cluster.Refused {
        // One lock for each slot: to wait for one GPU must not hold up the others.
        synchronized (slots.computeIfAbsent(slot, _ -> new Object())) {
            return heldDevice(namespace, slot);
        }
    }

    /** Whether a pod stands for it, though it may not be up yet. */
    boolean isHeld(Slot slot) {
        return find(slot).isPresent();
    }

    /**
     * Makes the pod again. Who runs keeps the device that it has; the new pod most likely gets the
     * same, as it is the one that nobody holds.
     */
    void restore(String namespace, Slot slot) throws EngineException {
        synchronized (slots.computeIfAbsent(slot, _ -> new Object())) {
            if (isHeld(slot)) return;
            try {
                make(namespace, slot);
            } catch (Cluster.Refused refused) {
                throw new EngineException(refused.getMessage(), refused);
            }
        }
    }

    private String heldDevice(String namespace, Slot slot) throws EngineException, Cluster.Refused {
        Pod pod = find(slot).orElse(null);
        if (pod == null) pod = make(namespace, slot);
        String known = devices.get(pod.getMetadata().getUid());
        if (known != null) return known;
        var meta = pod.getMetadata();
        PodState state = awaitRunning(meta.getNamespace(), meta.getName());
        if (!(state instanceof PodState.Running)) {
            throw waits(
                    slot, pod, state instanceof PodState.Waiting(var why) ? why : Optional.empty());
        }
        String device =
                read(pod)
                        .orElseThrow(
                                () ->
                                        waits(
                                                slot,
                                                meta.getName(),
                                                "it has not said yet which GPU it holds"));
        devices.put(meta.getUid(), device);
        return device;
    }

    /** Its node has no room for the pod that holds the GPU. */
    static final class Declines extends Exception {
        private static final long serialVersionUID = 1;
        private final String node;

        Declines(String node, String message) {
            super(message);
            this.node = node;
        }

        String node() {
            return node;
        }
    }

    private static EngineException waits(Slot slot, Pod pod, Optional<PodState.Trouble> why) {
        String text = why.map(PodState.Trouble::message).orElse("it is not up yet");
        EngineException waits = waits(slot, pod.getMetadata().getName(), text);
        return why.filter(trouble -> trouble.kind() == PodState.Trouble.Kind.PLACE).isPresent()
                ? new EngineException(waits.getMessage(), new Declines(slot.node(), text))
                : waits;
    }

    private static EngineException waits(Slot slot, String pod, String why) {
        return new EngineException(
                "waits for the pod %s, which reserves GPU %d of %s: %s"
                        .formatted(pod, slot.gpu(), slot.node(), why));
    }

    private PodState awaitRunning(String namespace, String name) {
        long deadline = System.nanoTime() + UP_WITHIN.toNanos();
        PodState state = new PodState.Waiting(Optional.empty());
        while (System.nanoTime() - deadline < 0) {
            var pod = watched.pod(namespace, name);
            if (pod.isPresent()) state = state(pod.get());
            if (state instanceof PodState.Running) return state;
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
        return state;
    }

    private PodState state(Pod pod) {
        var health = watched.health(pod.getSpec().getNodeName());
        return new PodReading(pod, health, false, Instant.now()).state();
    }

    private Optional<Pod> find(Slot slot) {
        return watched.ours().stream()
                .filter(Marks::isReservation)
                .filter(pod -> isUsable(pod) && slot(pod).equals(Optional.of(slot)))
                .findFirst();
    }

    private static boolean isUsable(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null && !Capacity.isEnded(pod);
    }

    private static Optional<Slot> slot(Pod pod) {
        List<Integer> gpus = Marks.gpus(pod);
        return gpus.size() == 1
                ? Optional.of(new Slot(Marks.annotation(pod, Marks.NODE), gpus.getFirst()))
                : Optional.empty();
    }

    private Pod make(String namespace, Slot slot) throws EngineException, Cluster.Refused {
        Pod wanted = pod(namespace, slot);
        String name = wanted.getMetadata().getName();
        Pod made =
                cluster.createPod(wanted)
                        .orElseThrow(() -> waits(slot, name, "an older one still ends"));
        watched.made(made);
        return made;
    }

    Pod pod(String namespace, Slot slot) {
        var pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(Names.reservation(server, slot.node(), slot.gpu()))
                        .addToLabels(Marks.SERVER, server)
                        .addToLabels(Marks.RESERVATION, "gpu")
                        .addToAnnotations(Marks.NODE, slot.node())
                        .addToAnnotations(Marks.GPUS, Integer.toString(slot.gpu()))
                        .endMetadata()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .withTerminationGracePeriodSeconds((long) GRACE_SECONDS)
                        .withAutomountServiceAccountToken(false)
                        .withEnableServiceLinks(false)
                        .withAffinity(Placing.on(slot.node()))
                        .withTolerations(TaskPods.tolerations(settings, Optional.empty()))
                        .withImagePullSecrets(TaskPods.references(settings.pullSecrets()))
                        .addNewContainer()
                        .withName(Marks.CONTAINER)
                        .withImage(settings.reservationImage())
                        .withCommand("sh", "-c", TaskPods.unexpanded(SCRIPT))
                        .withNewResources()
                        .addToLimits(TaskPods.GPU, new Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec();
        return PodTemplate.merged(pod.build(), template.stream().toList());
    }

    private Optional<String> read(Pod pod) {
        var meta = pod.getMetadata();
        try (var stream =
                cluster.log(meta.getNamespace(), meta.getName(), Optional.empty(), false)) {
            return new String(stream.readNBytes(LOG_BYTES_MAX), UTF_8)
                    .lines()
                    .filter(line -> line.contains(SAYS))
                    .map(line -> line.substring(line.indexOf(SAYS) + SAYS.length()).strip())
                    .findFirst();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Those that nobody needs any more, and those that hold nothing because they have ended. */
    List<Pod> unneeded(Set<Slot> needed) {
        return watched.ours().stream()
                .filter(Marks::isReservation)
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> !isUsable(pod) || slot(pod).filter(needed::contains).isEmpty())
                .toList();
    }
}
