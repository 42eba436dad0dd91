package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;

import fairlead.engine.EngineException;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.JobSpec;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Makes everything that an attempt needs. Each step may be repeated, and finds what is there. */
final class Launcher {
    /** As container engines report that they could not begin. */
    static final int CANNOT_RUN = 125;

    /** So many of a gang: more would be slowed down by the API server, or by our connections. */
    private static final int AT_ONCE_MAX = 16;

    private final KubernetesSettings settings;
    private final Home home;
    private final Cluster cluster;
    private final Watched watched;
    private final Reservations reservations;
    private final TaskPods.NodeFacts nodes;
    private final Optional<ObjectNode> template;

    Launcher(
            KubernetesSettings settings,
            Home home,
            Cluster cluster,
            Watched watched,
            Reservations reservations,
            TaskPods.NodeFacts nodes,
            Optional<ObjectNode> template) {
        this.settings = settings;
        this.home = home;
        this.cluster = cluster;
        this.watched = watched;
        this.reservations = reservations;
        this.nodes = nodes;
        this.template = template;
    }

    AttemptRecord record(Effect.Launch launch) {
        var tasks = new ArrayList<AttemptRecord.Task>();
        for (TaskPlacement place : launch.place().placement().tasks()) {
            String pod = Names.pod(launch.attempt(), launch.job().spec(), tasks.size());
            boolean shared =
                    nodes.replicas(place.node()) == 1
                            && place.shares().stream().anyMatch(share -> !share.isWhole());
            tasks.add(
                    new AttemptRecord.Task(place.task(), pod, place.node(), place.gpus(), shared));
        }
        String namespace = TaskPods.namespace(settings, launch.job().spec());
        return new AttemptRecord(launch.attempt(), namespace, false, tasks);
    }

    /** Whoever calls holds the attempt. A stop that comes meanwhile leaves it half made. */
    void launch(LiveAttempt attempt, Effect.Launch launch) throws EngineException, IOException {
        try {
            make(attempt, launch);
        } catch (Cluster.Refused refused) {
            for (int rank = 0; rank < attempt.tasks.size(); rank++) {
                if (attempt.tasks.get(rank).exit != null) continue;
                LogCopier.note(
                        attempt.files.log(attempt.tasks.get(rank).record.id()),
                        "fairlead: " + refused.getMessage(),
                        settings.logBytesMax());
                attempt.settle(
                        rank,
                        refused.isForGood()
                                ? failed(refused.getMessage())
                                : Exit.lost(refused.getMessage(), Instant.now()));
            }
        }
        if (attempt.isStopWanted) return;
        attempt.record = attempt.record.launched();
        home.keep(attempt.record);
    }

    static Exit failed(String note) {
        return new Exit(OptionalInt.of(CANNOT_RUN), false, note, Instant.now());
    }

    private void make(LiveAttempt attempt, Effect.Launch launch)
            throws EngineException, IOException, Cluster.Refused {
        var spec = launch.job().spec();
        var devices = devices(attempt.record.namespace(), launch);
        var pods = new TaskPods(settings, home.server(), launch, devices, nodes, templates(spec));
        makeClaims(launch, pods.namespace());
        Pod first = make(pods.pod(0, Optional.empty()), attempt);
        var rest = new PodServices(launch.attempt(), spec, pods.namespace(), TaskPods.owner(first));
        // At once, as the first machine may already be about to fetch the image.
        if (launch.login().isPresent()) cluster.create(rest.login(launch.login().get()));
        makeOthers(pods, first, attempt);
        if (attempt.isStopWanted) return;
        for (HasMetadata thing : rest.all(pods.isGang())) cluster.create(thing);
    }

    /** At once: a gang waits for its last pod, and each takes a call. */
    private void makeOthers(TaskPods pods, Pod first, LiveAttempt attempt)
            throws EngineException, Cluster.Refused {
        var places = new Semaphore(AT_ONCE_MAX);
        var calls = new ArrayList<Future<Pod>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int rank = 1; rank < attempt.tasks.size(); rank++) {
                Pod wanted = pods.pod(rank, Optional.of(first));
                calls.add(
                        threads.submit(
                                () -> {
                                    places.acquire();
                                    try {
                                        // A stop that comes meanwhile leaves the rest unmade.
                                        return attempt.isStopWanted ? first : make(wanted, attempt);
                                    } finally {
                                        places.release();
                                    }
                                }));
            }
        }
        for (Future<Pod> call : calls) {
            switch (call.state()) {
                case SUCCESS -> {}
                case FAILED -> fail(call.exceptionNow());
                case CANCELLED, RUNNING -> throw new IllegalStateException("not made: " + call);
            }
        }
    }

    private static void fail(Throwable problem) throws EngineException, Cluster.Refused {
        switch (problem) {
            case Cluster.Refused refused -> throw refused;
            case EngineException failed -> throw failed;
            case RuntimeException bug -> throw bug;
            default -> throw new IllegalStateException(problem);
        }
    }

    private List<ObjectNode> templates(JobSpec spec) {
        var templates = new ArrayList<ObjectNode>();
        template.ifPresent(templates::add);
        spec.container().details().pod().map(PodTemplate::parse).ifPresent(templates::add);
        return templates;
    }

    private Map<Integer, String> devices(String namespace, Effect.Launch launch)
            throws EngineException, Cluster.Refused {
        var devices = new HashMap<Integer, String>();
        List<TaskPlacement> tasks = launch.place().placement().tasks();
        for (int rank = 0; rank < tasks.size(); rank++) {
            if (nodes.replicas(tasks.get(rank).node()) > 1) continue;
            for (Share share : tasks.get(rank).shares()) {
                if (share.isWhole()) continue;
                if (Growth.isNew(tasks.get(rank).node()))
                    throw new Cluster.Refused(
                            "a node that is not there yet gives no part of a GPU", false);
                var slot = new Reservations.Slot(tasks.get(rank).node(), share.gpu());
                devices.put(rank, reservations.device(namespace, slot));
            }
        }
        return devices;
    }

    private void makeClaims(Effect.Launch launch, String namespace)
            throws EngineException, IOException, Cluster.Refused {
        var job = launch.job().id();
        var mounting = new PodMounting(launch.job().spec().container(), job);
        var claims = mounting.newClaims(namespace, home.server());
        if (claims.isEmpty()) return;
        // Before they are made: whoever cleans up must know of them.
        home.keepClaims(
                job,
                claims.stream().map(c -> namespace + " " + c.getMetadata().getName()).toList());
        for (var claim : claims) cluster.create(claim);
    }

    private Pod make(Pod wanted, LiveAttempt attempt) throws EngineException, Cluster.Refused {
        var meta = wanted.getMetadata();
        var there = watched.pod(meta.getNamespace(), meta.getName());
        if (there.isPresent() && isOf(there.get(), attempt)) return there.get();
        var made = cluster.createPod(wanted);
        Pod pod = made.isPresent() ? made.get() : other(wanted, attempt);
        watched.made(pod);
        return pod;
    }

    /** The pod that has the name already: an earlier call of ours has made it, or somebody else. */
    private Pod other(Pod wanted, LiveAttempt attempt) throws EngineException {
        String namespace = wanted.getMetadata().getNamespace();
        String name = wanted.getMetadata().getName();
        Pod there =
                cluster.pod(namespace, name)
                        .orElseThrow(
                                () ->
                                        new EngineException(
                                                "an older pod " + name + " has just gone"));
        if (isOf(there, attempt)) return there;
        if (there.getMetadata().getDeletionTimestamp() != null)
            throw new EngineException(
                    "an older pod %s in the namespace %s still ends".formatted(name, namespace));
        throw new EngineException(
                "the name %s is in use in the namespace %s; to free it: kubectl delete pod %s -n %s"
                        .formatted(name, namespace, name, namespace));
    }

    private boolean isOf(Pod pod, LiveAttempt attempt) {
        return Marks.label(pod, Marks.SERVER).equals(home.server())
                && !Marks.isForgotten(pod)
                && Marks.of(pod).filter(marks -> marks.attempt().equals(attempt.id)).isPresent();
    }
}
