package fairlead.server.snapshot;

import fairlead.job.Share;
import fairlead.job.TaskPlacement;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Plan;

import io.avaje.json.JsonWriter;
import io.avaje.json.stream.JsonStream;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Consumer;

/** A plan of a snapshot as JSON: who starts where, who is stopped for whom, why the others wait. */
final class PlanJson {
    private static final JsonStream STREAM = JsonStream.builder().build();

    private final JsonWriter json;

    private PlanJson(JsonWriter json) {
        this.json = json;
    }

    static byte[] write(Snapshot snapshot, String policy, Plan plan, List<Explanation> waiting) {
        var out = new ByteArrayOutputStream();
        try (var json = STREAM.writer(out)) {
            new PlanJson(json).plan(snapshot, policy, plan, waiting);
        }
        return out.toByteArray();
    }

    private void plan(Snapshot snapshot, String policy, Plan plan, List<Explanation> waiting) {
        json.beginObject();
        put("policy", policy);
        put("cluster", snapshot.cluster());
        put("now", snapshot.now().toString());
        list("starts", plan.starts(), this::start);
        list("stops", plan.preempts(), this::stop);
        list("waits", waiting, this::wait);
        json.endObject();
    }

    private void start(Plan.Start start) {
        json.beginObject();
        put("job", start.job().text());
        list("tasks", start.placement().tasks(), this::task);
        json.endObject();
    }

    private void task(TaskPlacement task) {
        json.beginObject();
        put("task", task.task().toString());
        put("node", task.node());
        list("gpus", task.shares().stream().map(Share::gpu).toList(), json::value);
        json.endObject();
    }

    private void stop(Plan.Preempt preempt) {
        json.beginObject();
        put("job", preempt.victim().text());
        put("for", preempt.beneficiary().text());
        put("why", preempt.why());
        json.endObject();
    }

    private void wait(Explanation each) {
        json.beginObject();
        put("job", each.job().text());
        json.name("place");
        json.value(each.place());
        list("obstacles", each.obstacles().stream().map(Obstacle::words).toList(), json::value);
        json.endObject();
    }

    private <T> void list(String name, List<T> values, Consumer<T> write) {
        json.name(name);
        json.beginArray();
        values.forEach(write);
        json.endArray();
    }

    private void put(String name, String value) {
        json.name(name);
        json.value(value);
    }
}
