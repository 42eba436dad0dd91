package fairlead.engines.kubernetes;

import fairlead.engine.EngineException;
import fairlead.job.Exit;

import io.fabric8.kubernetes.api.model.Pod;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Compares an attempt with its pods: what has started, what has ended and how, what is wrong, and
 * which deletions are owed. Whoever calls holds the attempt.
 */
final class Looker {
    /** A list from a lagging API server may miss a pod for a moment. */
    private static final Duration MISSING_PATIENCE = Duration.ofSeconds(5);

    /** Most pods of images that their nodes have are up by then, so most are never asked about. */
    private static final Duration SLOW = Duration.ofSeconds(10);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(30);

    /**
     * What the cluster's scheduler says once may be over at once: the pod that had the place before
     * is counted until its node has reported it.
     */
    private static final Duration PLACE_PATIENCE = Duration.ofSeconds(2);

    /** What the scheduler says where only the pod's own wishes are in the way. */
    private static final Pattern OWN_WISH =
            Pattern.compile(
                    "0/(\\d+) nodes are available: \\1 node\\(s\\) didn't match Pod's node");

    /** More than ever are on their way out at once. */
    private static final int RELEASED_MAX = 10_000;

    /** For tasks that nobody wants any more. */
    static final long GRACE_SECONDS_LEAST = 1;

    private final KubernetesSettings settings;
    private final String server;
    private final Cluster cluster;
    private final Watched watched;
    private final Errands errands;
    private final Places places;
    private final Consumer<LiveAttempt> again;
    private final Set<String> released =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(
                            new LinkedHashMap<>() {
                                private static final long serialVersionUID = 1;

                                @Override
                                protected boolean removeEldestEntry(
                                        Map.Entry<String, Boolean> eldest) {
                                    return size() > RELEASED_MAX;
                                }
                            }));

    /** Told of what nodes do with pods of ours. */
    interface Places {
        /** There was no room on it. */
        void declined(String node);

        /** A task has started on it. */
        void taken(String node);
    }

    /**
     * @param again asks for another look, from any thread
     */
    Looker(
            KubernetesSettings settings,
            String server,
            Cluster cluster,
            Watched watched,
            Errands errands,
            Places places,
            Consumer<LiveAttempt> again) {
        this.settings = settings;
        this.server = server;
        this.cluster = cluster;
        this.watched = watched;
        this.errands = errands;
        this.places = places;
        this.again = again;
    }

    /** Answers whether others now see something else. */
    boolean look(LiveAttempt attempt) throws IOException {
        Instant now = Instant.now();
        // Nothing is concluded from an old picture, least of all that something is gone or overdue.
        int seen = watched.isInSync() ? attempt.tasks.size() : 0;
        for (int rank = 0; rank < seen; rank++) {
            LiveTask task = attempt.tasks.get(rank);
            var pod = pod(attempt, task);
            if (pod.isPresent()) task.missingSince = null;
            if (task.exit != null) {
                if (pod.isPresent()) endAnyway(pod.get(), now);
            } else if (pod.isPresent()) {
                read(attempt, rank, pod.get(), now);
            } else {
                missing(attempt, rank, now);
            }
        }
        return attempt.publish();
    }

    Optional<Pod> pod(LiveAttempt attempt, LiveTask task) {
        return watched.pod(attempt.record.namespace(), task.record.pod())
                .filter(pod -> Marks.label(pod, Marks.SERVER).equals(server))
                .filter(
                        pod ->
                                Marks.of(pod)
                                        .filter(marks -> marks.attempt().equals(attempt.id))
                                        .isPresent());
    }

    private PodReading.NodeHealth health(Pod pod) {
        String bound = pod.getSpec().getNodeName();
        return watched.health(bound == null ? Marks.annotation(pod, Marks.NODE) : bound);
    }

    private void read(LiveAttempt attempt, int rank, Pod pod, Instant now) throws IOException {
        LiveTask task = attempt.tasks.get(rank);
        var reading = new PodReading(pod, health(pod), attempt.stop.isPresent(), now);
        reading.address().ifPresent(address -> task.address = address);
        if (rank == 0) attempt.ports = Marks.ports(pod);
        switch (reading.state()) {
            case PodState.Waiting(var trouble) -> {
                if (trouble.isEmpty()) askWhySlow(attempt, task, pod, now);
                var told =
                        task.answer.isEmpty()
                                ? trouble
                                : trouble.or(() -> Optional.of(jobTrouble(task.answer)));
                waiting(attempt, rank, told, now);
            }
            case PodState.Running _ -> {
                if (!task.isStarted) places.taken(task.record.node());
                started(task);
                copier(attempt, task);
            }
            case PodState.Ended(var exit, boolean hasLog) -> {
                // The first that was seen stays, whatever the cluster says later.
                if (task.seen == null) task.seen = exit;
                ended(attempt, rank, hasLog);
            }
        }
        boolean isOwed =
                attempt.stop.isPresent()
                        && task.seen == null
                        && pod.getMetadata().getDeletionTimestamp() == null
                        && !attempt.deleted.contains(pod.getMetadata().getUid());
        if (isOwed) errands.start(key(pod), () -> stop(attempt, task, pod));
    }

    private static PodState.Trouble jobTrouble(String message) {
        return new PodState.Trouble(PodState.Trouble.Kind.JOB, message);
    }

    /** A pod that takes long on its node fetches a large image, or can never start. */
    private void askWhySlow(LiveAttempt attempt, LiveTask task, Pod pod, Instant now) {
        if (pod.getSpec().getNodeName() == null) return;
        Instant last =
                task.askedAt != null
                        ? task.askedAt
                        : PodReading.time(pod.getMetadata().getCreationTimestamp()).orElse(now);
        Duration wait = task.askedAt == null ? SLOW : ASK_AGAIN;
        if (Duration.between(last, now).compareTo(wait) < 0) return;
        task.askedAt = now;
        errands.start(
                key(pod),
                () -> {
                    String answer = cluster.startProblem(pod).orElse("");
                    attempt.lock.lock();
                    try {
                        task.answer = answer;
                    } finally {
                        attempt.lock.unlock();
                    }
                    again.accept(attempt);
                });
    }

    private static void started(LiveTask task) {
        task.isStarted = true;
        task.trouble = "";
        task.troubleSince = null;
        task.troubleKind = null;
    }

    private void ended(LiveAttempt attempt, int rank, boolean hasLog) throws IOException {
        LiveTask task = attempt.tasks.get(rank);
        if (hasLog || task.copier != null) {
            var copier = copier(attempt, task);
            copier.containerEnded();
            // Whoever sees the exit may read the whole log.
            if (hasLog && !copier.isDone()) return;
        }
        settle(attempt, rank, task.seen);
    }

    private LogCopier copier(LiveAttempt attempt, LiveTask task) {
        if (task.copier == null) {
            task.copier =
                    new LogCopier(
                            cluster,
                            attempt.record.namespace(),
                            task.record.pod(),
                            attempt.files.log(task.record.id()),
                            settings.logBytesMax(),
                            () -> again.accept(attempt));
            task.copier.start();
        }
        return task.copier;
    }

    private void waiting(
            LiveAttempt attempt, int rank, Optional<PodState.Trouble> trouble, Instant now)
            throws IOException {
        LiveTask task = attempt.tasks.get(rank);
        if (trouble.isEmpty()) {
            // Between two tries to fetch an image nothing is wrong for a moment.
            if (task.troubleKind == PodState.Trouble.Kind.JOB) return;
            task.trouble = "";
            task.troubleKind = null;
            return;
        }
        // While the kubelet waits for its next try, only the try before has the registry's words.
        if (task.trouble.isEmpty() || !trouble.get().isPause())
            task.trouble = trouble.get().message();
        var kind = trouble.get().kind();
        if (task.troubleKind != kind) {
            task.troubleKind = kind;
            task.troubleSince = now;
        }
        boolean isOver =
                Duration.between(task.troubleSince, now).compareTo(settings.startPatience()) > 0;
        String message = task.trouble;
        switch (kind) {
            case HOPELESS -> settle(attempt, rank, Launcher.failed(message));
            case JOB -> {
                if (isOver) settle(attempt, rank, Launcher.failed(message));
            }
            case PLACE -> {
                boolean isHopeless =
                        watched.health(task.record.node()) != PodReading.NodeHealth.READY;
                Duration waited = Duration.between(task.troubleSince, now);
                Duration patience =
                        Growth.isNew(task.record.node())
                                ? settings.startPatience()
                                : placePatience(settings);
                if (isHopeless || waited.compareTo(patience) > 0) {
                    // A node that only this job does not want is as good as ever for the others.
                    if (!OWN_WISH.matcher(message).find()) places.declined(task.record.node());
                    settle(attempt, rank, Exit.lost(message, now));
                }
            }
            case QUEUED -> {
                // It has no room yet that anybody could use meanwhile.
            }
            case SOON -> {
                if (isOver) settle(attempt, rank, Exit.lost(message, now));
            }
        }
    }

    /**
     * How long the cluster may find no room before another place is sought. Where we cannot see its
     * nodes, we know no better one.
     */
    static Duration placePatience(KubernetesSettings settings) {
        Duration most = settings.startPatience();
        if (settings.rules().sight() == KubernetesSettings.Sight.NAMESPACE) return most;
        return most.compareTo(PLACE_PATIENCE) < 0 ? most : PLACE_PATIENCE;
    }

    private void missing(LiveAttempt attempt, int rank, Instant now) throws IOException {
        LiveTask task = attempt.tasks.get(rank);
        boolean isStopped = attempt.stop.isPresent();
        if (!attempt.record.isLaunched() && !isStopped) return;
        if (task.missingSince == null) task.missingSince = now;
        boolean isOver = Duration.between(task.missingSince, now).compareTo(MISSING_PATIENCE) > 0;
        if (attempt.record.isLaunched() && !isOver) return;
        if (task.seen == null) {
            String why = "its pod " + task.record.pod() + " is gone: somebody has removed it";
            task.seen =
                    isStopped
                            ? Exit.stopped(PodReading.TERMINATED, "it was stopped", now)
                            : Exit.lost(why, now);
        }
        settle(attempt, rank, task.seen);
    }

    private void settle(LiveAttempt attempt, int rank, Exit exit) throws IOException {
        LiveTask task = attempt.tasks.get(rank);
        if (exit.isLost() || exit.code().getAsInt() == Launcher.CANNOT_RUN) {
            // A task that could not start has no other log.
            String line = "fairlead: " + exit.note();
            if (!exit.note().isEmpty()) note(attempt, task, line);
        }
        attempt.settle(rank, exit);
    }

    void note(LiveAttempt attempt, LiveTask task, String line) throws IOException {
        if (task.copier != null) task.copier.note(line);
        else LogCopier.note(attempt.files.log(task.record.id()), line, settings.logBytesMax());
    }

    /** Orders the end of whatever still runs, with what is left of the grace. */
    void stopAll(LiveAttempt attempt) throws EngineException {
        for (LiveTask task : attempt.tasks) {
            var pod = task.seen == null ? pod(attempt, task) : Optional.<Pod>empty();
            if (pod.isPresent()) stop(attempt, task, pod.get());
        }
    }

    private void stop(LiveAttempt attempt, LiveTask task, Pod pod) throws EngineException {
        attempt.lock.lock();
        try {
            String uid = pod.getMetadata().getUid();
            if (attempt.deleted.contains(uid) || attempt.stop.isEmpty()) return;
            if (pod.getMetadata().getDeletionTimestamp() != null) return;
            var order = attempt.stop.get();
            var left = Duration.between(Instant.now(), order.at().plus(order.grace()));
            // Upwards: a part of a second is better too much than too little. A container that does
            // not run yet has nothing to save.
            long grace =
                    task.isStarted
                            ? Math.max(GRACE_SECONDS_LEAST, left.plusMillis(999).toSeconds())
                            : GRACE_SECONDS_LEAST;
            cluster.deletePod(pod, grace);
            attempt.deleted.add(uid);
        } finally {
            attempt.lock.unlock();
        }
    }

    /** A task that has ended for us must not run on, or begin, because its cluster recovers. */
    private void endAnyway(Pod pod, Instant now) {
        if (Capacity.isEnded(pod)) return;
        var health = health(pod);
        boolean isDead =
                health == PodReading.NodeHealth.GONE || health == PodReading.NodeHealth.NOT_READY;
        boolean isDeleted = pod.getMetadata().getDeletionTimestamp() != null;
        boolean isOver = new PodReading(pod, health, true, now).state() instanceof PodState.Ended;
        if (isOver && isDeleted && !isDead) return;
        Long ordered = pod.getMetadata().getDeletionGracePeriodSeconds();
        if (isDeleted && !(isDead && (ordered == null || ordered > 0))) return;
        errands.start(key(pod), () -> cluster.deletePod(pod, isDead ? 0 : GRACE_SECONDS_LEAST));
    }

    /** Lets a pod go for good, whatever it does. */
    void release(Pod pod) throws EngineException {
        if (pod.getMetadata().getDeletionTimestamp() == null)
            cluster.deletePod(pod, GRACE_SECONDS_LEAST);
        cluster.removeFinalizer(pod);
        released.add(pod.getMetadata().getUid());
    }

    /** For pods of attempts that are forgotten, such as one whose making was never answered. */
    void releaseLater(Pod pod) {
        // The watch shows a released pod for a moment longer.
        if (released.contains(pod.getMetadata().getUid())) return;
        errands.start(key(pod), () -> release(pod));
    }

    /** Somebody has taken away the pod that holds a GPU for tasks that run. */
    void reserveLater(Reservations.Slot slot, Errands.Errand errand) {
        errands.start("reservation " + slot, errand);
    }

    void deleteLater(Pod pod, long graceSeconds) {
        errands.start(key(pod), () -> cluster.deletePod(pod, graceSeconds));
    }

    private static String key(Pod pod) {
        return pod.getMetadata().getUid();
    }
}
