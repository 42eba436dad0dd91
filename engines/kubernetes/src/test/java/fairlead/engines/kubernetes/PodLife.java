package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One pod on a test kubelet, from its arrival to its end: a thread of its own leads it through. It
 * runs each container of the pod once, as with restartPolicy Never: those that prepare one after
 * the other, then the others at once.
 */
final class PodLife {
    private static final Duration TRY_AGAIN = Duration.ofMillis(500);

    /** A forced deletion still gives a program the time to notice. */
    private static final Duration GRACE_MIN = Duration.ofSeconds(1);

    private final TestKubelet kubelet;
    private final Pod pod;
    private final Path folder;
    private final PodLog log;
    private final Devices devices;
    private final Instant seen = Instant.now();
    private volatile PodProcess process;

    /** Beside the main container, by name, with when they began. */
    private final Map<String, PodProcess> beside = new ConcurrentHashMap<>();

    private final Map<String, ContainerState> statesBeside = new ConcurrentHashMap<>();
    private boolean deleted;
    private boolean abandoned;
    private Instant killAt;

    /** What a test has made happen: it explains the end better than the exit code. */
    private Optional<PodStatus> verdict = Optional.empty();

    private boolean outOfMemory;

    PodLife(TestKubelet kubelet, Pod pod, Devices devices, Path folder) throws IOException {
        this.kubelet = kubelet;
        this.pod = pod;
        this.devices = devices;
        this.folder = Files.createDirectories(folder);
        this.log = new PodLog(folder.resolve("log"));
    }

    Pod pod() {
        return pod;
    }

    PodLog log() {
        return log;
    }

    /** Empty while it has not started. */
    Optional<PodProcess> process() {
        return Optional.ofNullable(process);
    }

    /** Begins, in a thread of its own. */
    void start() {
        Thread.startVirtualThread(
                () -> {
                    try {
                        live();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException("the test kubelet's files", e);
                    } catch (InterruptedException e) {
                        throw new AssertionError("nobody interrupts the life of a pod", e);
                    } finally {
                        log.end();
                        devices.giveBack(pod.getMetadata().getUid());
                    }
                });
    }

    private void live() throws IOException, InterruptedException {
        int wanted = TestKubelet.gpus(pod);
        var taken = devices.take(pod.getMetadata().getUid(), wanted);
        if (taken.isEmpty()) {
            String message =
                    "Allocate failed due to requested number of devices unavailable for"
                            + " nvidia.com/gpu. Requested: "
                            + wanted
                            + ", Available: "
                            + devices.available()
                            + ", which is unexpected";
            report(PodStatuses.refused(pod, seen, "UnexpectedAdmissionError", message));
            awaitDeletion();
        } else {
            report(state(PodStatuses.waiting("ContainerCreating", null)));
            if (prepare(taken.get())) run(taken.get());
        }
        if (isAbandoned()) return;
        devices.giveBack(pod.getMetadata().getUid());
        awaitDeletion();
        if (!isAbandoned()) kubelet.remove(pod);
    }

    /** Runs the containers that come first, one after the other; false when one has failed. */
    private boolean prepare(List<String> gpus) throws IOException, InterruptedException {
        for (Container init : pod.getSpec().getInitContainers()) {
            var made = make(init, gpus);
            if (made.isEmpty()) return true;
            Instant started = Instant.now();
            var running = PodProcess.start(made.get(), new PodLog(folder.resolve(init.getName())));
            synchronized (this) {
                beside.put(init.getName(), running);
                if (deleted) running.kill();
            }
            var now = PodStatuses.running(started);
            report(PodStatuses.preparing(pod, seen, init, now));
            int code = running.exit().join();
            beside.remove(init.getName());
            String reason = code == 0 ? "Completed" : "Error";
            var end = PodStatuses.terminated(code, reason, null, started, Instant.now());
            if (code != 0) {
                devices.giveBack(pod.getMetadata().getUid());
                report(PodStatuses.unprepared(pod, seen, init, end));
                return false;
            }
            report(PodStatuses.preparing(pod, seen, init, end));
        }
        return true;
    }

    private void startBeside(List<String> gpus) throws IOException, InterruptedException {
        for (Container each : pod.getSpec().getContainers()) {
            if (each.equals(TestKubelet.main(pod))) continue;
            var made = make(each, gpus);
            if (made.isEmpty()) return;
            var log = new PodLog(folder.resolve(each.getName() + ".log"));
            synchronized (this) {
                if (abandoned) return;
                var started = PodProcess.start(made.get(), log);
                beside.put(each.getName(), started);
                statesBeside.put(each.getName(), PodStatuses.running(Instant.now()));
            }
        }
    }

    private void run(List<String> gpus) throws IOException, InterruptedException {
        startBeside(gpus);
        var made = make(TestKubelet.main(pod), gpus);
        if (made.isEmpty()) {
            end(
                    PodStatuses.terminated(
                            137,
                            "ContainerStatusUnknown",
                            "The container could not be located when the pod was terminated",
                            Instant.EPOCH,
                            Instant.EPOCH));
            return;
        }
        var plan = made.get();
        String word = plan.command().getFirst();
        String path = plan.environment().get("PATH");
        var work = PodMounts.outside(plan.binds(), plan.workingFolder());
        String problem = null;
        if (!Files.isDirectory(work)) {
            problem =
                    "chdir to cwd (\""
                            + plan.workingFolder()
                            + "\") set in config.json failed: no such file or directory";
        } else if (!PodMounts.canRun(plan.binds(), word, plan.workingFolder(), path)) {
            String why =
                    word.contains("/")
                            ? "no such file or directory"
                            : "executable file not found in $PATH";
            problem =
                    "exec: \""
                            + word
                            + "\": "
                            + (word.contains("/") ? "stat " + word + ": " : "")
                            + why;
        }
        if (problem != null) {
            String message =
                    "failed to create containerd task: failed to create shim task: OCI runtime"
                        + " create failed: runc create failed: unable to start container process: "
                            + problem
                            + ": unknown";
            end(PodStatuses.terminated(128, "StartError", message, Instant.EPOCH, Instant.now()));
            return;
        }
        Instant started;
        synchronized (this) {
            if (abandoned) return;
            started = Instant.now();
            process = PodProcess.start(plan, log);
            if (deleted) guardDeletion();
        }
        if (!process.exit().isDone()) report(state(PodStatuses.running(started)));
        int code = process.exit().join();
        String reason = outOfMemory() ? "OOMKilled" : code == 0 ? "Completed" : "Error";
        end(PodStatuses.terminated(code, reason, null, started, Instant.now()));
    }

    /** Empty: the pod was deleted before its container could be made. */
    private Optional<PodProcess.Plan> make(Container container, List<String> gpus)
            throws IOException, InterruptedException {
        String image = container.getImage();
        for (int tries = 0; !isDeleted(); tries++) {
            if (image.startsWith("missing/")) {
                report(state(noImage(image, tries)));
            } else if (!image.matches("[a-z0-9][a-z0-9._/:@-]*([:@][\\w.:-]+)?")) {
                report(
                        state(
                                PodStatuses.waiting(
                                        "InvalidImageName",
                                        "Failed to apply default image tag \""
                                                + image
                                                + "\": couldn't parse image name \""
                                                + image
                                                + "\": invalid reference format")));
            } else {
                try {
                    return Optional.of(kubelet.plan(pod, container, folder).plan(gpus));
                } catch (PodPlan.Obstacle e) {
                    report(state(PodStatuses.waiting(e.reason(), e.getMessage())));
                }
            }
            rest(TRY_AGAIN);
        }
        return Optional.empty();
    }

    private static ContainerState noImage(String image, int tries) {
        if (tries % 2 == 1) {
            return PodStatuses.waiting(
                    "ImagePullBackOff", "Back-off pulling image \"" + image + "\"");
        }
        return PodStatuses.waiting(
                "ErrImagePull",
                "rpc error: code = NotFound desc = failed to pull and unpack image \""
                        + image
                        + "\": failed to resolve reference \""
                        + image
                        + "\": "
                        + image
                        + ": not found");
    }

    private PodStatus state(ContainerState state) {
        var states = new HashMap<>(statesBeside);
        states.put(TestKubelet.main(pod).getName(), state);
        return PodStatuses.of(pod, seen, states);
    }

    /** While others of its containers go on, so does the pod, with all that it holds. */
    private void end(ContainerState state) throws InterruptedException {
        if (!beside.isEmpty()) {
            log.end();
            if (!isDeleted()) report(state(state));
            awaitDeletion();
            beside.forEach(
                    (name, each) -> {
                        int code = each.exit().join();
                        Instant begun = Instant.now();
                        String reason = code == 0 ? "Completed" : "Error";
                        statesBeside.put(
                                name,
                                PodStatuses.terminated(code, reason, null, begun, Instant.now()));
                    });
        }
        PodStatus status = state(state);
        Optional<PodStatus> better;
        synchronized (this) {
            better = verdict;
        }
        if (better.isPresent()) {
            status.setReason(better.get().getReason());
            status.setMessage(better.get().getMessage());
            status.setPhase("Failed");
        }
        // Nobody who sees the end may find the log unfinished.
        log.end();
        devices.giveBack(pod.getMetadata().getUid());
        report(status);
    }

    private void report(PodStatus status) throws InterruptedException {
        if (!isAbandoned()) kubelet.report(pod, status, this::isAbandoned);
    }

    /** It is to end within the grace; a repeat can shorten it. */
    synchronized void delete(Duration grace) {
        Duration least = grace.compareTo(GRACE_MIN) < 0 ? GRACE_MIN : grace;
        Instant at = Instant.now().plus(least);
        if (killAt == null || at.isBefore(killAt)) killAt = at;
        boolean first = !deleted;
        deleted = true;
        notifyAll();
        if (first && process != null) guardDeletion();
        if (first) beside.values().forEach(this::guard);
    }

    private void guardDeletion() {
        guard(process);
    }

    private void guard(PodProcess running) {
        running.terminate();
        Thread.startVirtualThread(
                () -> {
                    try {
                        awaitKill(running);
                    } catch (InterruptedException e) {
                        throw new AssertionError("nobody interrupts the life of a pod", e);
                    }
                    running.kill();
                });
    }

    private synchronized void awaitKill(PodProcess running) throws InterruptedException {
        while (!running.exit().isDone()) {
            long left = Duration.between(Instant.now(), killAt).toMillis();
            if (left <= 0) return;
            wait(Math.min(left, 100));
        }
    }

    /** Out of the node, though it stays in the API. */
    synchronized void evict(String reason, String message) {
        verdict = Optional.of(PodStatuses.refused(pod, seen, reason, message));
        if (process != null) process.kill();
    }

    synchronized void runOutOfMemory() {
        outOfMemory = true;
        if (process != null) process.kill();
    }

    /** The node forgets it: its processes end, and nothing is reported. */
    synchronized void abandon() {
        abandoned = true;
        deleted = true;
        notifyAll();
        if (process != null) process.kill();
        beside.values().forEach(PodProcess::kill);
    }

    private synchronized boolean isDeleted() {
        return deleted || verdict.isPresent();
    }

    private synchronized boolean isAbandoned() {
        return abandoned;
    }

    private synchronized boolean outOfMemory() {
        return outOfMemory;
    }

    private synchronized void awaitDeletion() throws InterruptedException {
        while (!deleted) wait();
    }

    private synchronized void rest(Duration time) throws InterruptedException {
        if (!deleted) wait(time.toMillis());
    }
}
