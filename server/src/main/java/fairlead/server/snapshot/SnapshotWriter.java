package fairlead.server.snapshot;

import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Setbacks;
import fairlead.job.Share;
import fairlead.job.StopReason;
import fairlead.job.TaskPlacement;

import io.avaje.json.JsonWriter;
import io.avaje.json.stream.JsonStream;

import java.io.OutputStream;
import java.time.Instant;
import java.util.function.Consumer;

/** A snapshot as JSON. The version stands first, so that a reader knows at once. */
final class SnapshotWriter {
    private static final JsonStream STREAM = JsonStream.builder().build();

    private final JsonWriter json;
    private final Aliases aliases;

    private SnapshotWriter(JsonWriter json, Aliases aliases) {
        this.json = json;
        this.aliases = aliases;
    }

    static void write(Snapshot snapshot, OutputStream out) {
        try (var json = STREAM.writer(out)) {
            new SnapshotWriter(json, new Aliases(snapshot.jobs())).snapshot(snapshot);
        }
    }

    private void snapshot(Snapshot snapshot) {
        json.beginObject();
        put("version", Snapshot.VERSION);
        put("cluster", snapshot.cluster());
        put("policy", snapshot.policy());
        put("now", snapshot.now().toString());
        put("undisturbed", snapshot.rules().undisturbed().toString());
        list("projects", snapshot.rules().projects().values(), this::project);
        list("nodes", snapshot.nodes(), this::node);
        if (!snapshot.guests().isEmpty()) list("guests", snapshot.guests(), this::guest);
        list("jobs", snapshot.jobs(), job -> job(job, snapshot));
        json.endObject();
    }

    private void project(Project project) {
        put("name", project.name());
        project.quota().ifPresent(quota -> put("quota", quota));
        project.interactiveMax().ifPresent(max -> put("interactiveMax", max));
        put("interactiveLimit", project.interactiveLimit().toString());
    }

    private void node(Node node) {
        put("name", node.name());
        put("ready", node.ready());
        put("cpus", node.cpus());
        put("memoryBytes", node.memoryBytes());
        list("gpus", node.gpus(), this::gpu);
    }

    private void guest(Guest guest) {
        put("owner", guest.owner());
        put("gpus", guest.gpus());
        put("node", guest.node().orElseThrow());
        put("created", guest.created().toString());
    }

    private void gpu(Gpu gpu) {
        put("index", gpu.index());
        put("type", gpu.type());
        put("memoryBytes", gpu.memoryBytes());
    }

    private void job(Job job, Snapshot snapshot) {
        put("id", job.id().text());
        put("owner", job.owner());
        put("project", job.spec().project());
        put("submitted", job.submitted().toString());
        put("priority", job.priority());
        put("interactive", job.spec().interactive());
        job.spec().timeLimit().ifPresent(limit -> put("timeLimit", limit.toString()));
        put("attempts", job.attempts());
        put("served", job.served().toString());
        if (snapshot.foreseen().containsKey(job.id())) {
            put("foreseen", snapshot.foreseen().get(job.id()).toString());
        }
        put("script", aliases.command(job));
        list("roles", job.spec().roles(), this::role);
        var training = new TrainingWriter(json, aliases);
        job.spec()
                .training()
                .ifPresent(
                        declared -> training.write(job, declared, snapshot.known().get(job.id())));
        if (!job.setbacks().equals(Setbacks.NONE)) training.write(job.setbacks());
        state(job);
    }

    private void role(Role role) {
        Resources resources = role.resources();
        put("name", role.name());
        put("count", role.count());
        put("gpus", resources.gpus());
        switch (resources.part()) {
            case GpuPart.Whole _ -> {}
            case GpuPart.Fraction(int thousandths) -> put("thousandths", thousandths);
            case GpuPart.Memory(long bytes) -> put("gpuMemoryBytes", bytes);
        }
        resources.gpuType().ifPresent(type -> put("gpuType", type));
        put("cpus", resources.cpus());
        put("memoryBytes", resources.memoryBytes());
        // Only what decides on a place: any free port is as good as another.
        list(
                "ports",
                role.ports().stream().filter(Role.Ports::isFixed).toList(),
                ports -> {
                    put("label", ports.label());
                    put("first", ports.first());
                    put("count", ports.count());
                });
    }

    private void state(Job job) {
        put("state", job.state().word());
        switch (job.state()) {
            case JobState.Queued(Instant since, Instant notBefore) -> {
                put("since", since.toString());
                put("notBefore", notBefore.toString());
            }
            case JobState.Active active -> {
                put("since", active.since().toString());
                job.started().ifPresent(at -> put("started", at.toString()));
                if (active instanceof JobState.Stopping stopping
                        && stopping.reason() instanceof StopReason.Preempted preempted) {
                    put("stoppingFor", preempted.beneficiary().text());
                    put("atCheckpoint", preempted.atCheckpoint());
                }
                list("tasks", active.attempt().placement().tasks(), this::task);
            }
            case JobState.Finished _ ->
                    throw new IllegalArgumentException("a view has no finished jobs");
        }
    }

    private void task(TaskPlacement task) {
        put("task", task.task().toString());
        put("node", task.node());
        list("shares", task.shares(), this::share);
    }

    private void share(Share share) {
        put("gpu", share.gpu());
        put("units", share.units());
    }

    private <T> void list(String name, Iterable<T> values, Consumer<T> body) {
        json.name(name);
        json.beginArray();
        for (T value : values) {
            json.beginObject();
            body.accept(value);
            json.endObject();
        }
        json.endArray();
    }

    private void put(String name, String value) {
        json.name(name);
        json.value(value);
    }

    private void put(String name, long value) {
        json.name(name);
        json.value(value);
    }

    private void put(String name, boolean value) {
        json.name(name);
        json.value(value);
    }
}
