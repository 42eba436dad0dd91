package fairlead.server.snapshot;

import static fairlead.wire.parts.Form.DURATION;
import static fairlead.wire.parts.Form.INSTANT;
import static fairlead.wire.parts.Form.INT;
import static fairlead.wire.parts.Form.TEXT;

import fairlead.api.json.StrictReader;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Profile;
import fairlead.job.Project;
import fairlead.wire.parts.Form;
import fairlead.wire.parts.Part;

import io.avaje.json.JsonWriter;
import io.avaje.json.stream.JsonStream;

import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** A snapshot as JSON. The version comes first, so that a reader knows at once. */
final class SnapshotJson {
    private static final JsonStream STREAM = JsonStream.builder().build();

    private SnapshotJson() {}

    static void write(Snapshot snapshot, OutputStream out) {
        var aliases = new Aliases(snapshot.jobs());
        try (var json = STREAM.writer(out)) {
            json.beginObject();
            put(json, "version", INT, Snapshot.VERSION);
            put(json, "cluster", TEXT, snapshot.cluster());
            put(json, "policy", TEXT, snapshot.policy());
            put(json, "now", INSTANT, snapshot.now());
            put(json, "undisturbed", DURATION, snapshot.rules().undisturbed());
            var projects = List.copyOf(snapshot.rules().projects().values());
            put(json, "projects", ClusterParts.PROJECT.list(), projects);
            put(json, "nodes", ClusterParts.NODE.list(), snapshot.nodes());
            if (!snapshot.guests().isEmpty()) {
                put(json, "guests", ClusterParts.GUEST.list(), snapshot.guests());
            }
            Form<JobRow> row = JobForm.of(snapshot.cluster());
            json.name("jobs");
            json.beginArray();
            for (Job job : snapshot.jobs()) row.write(json, JobRow.of(job, snapshot, aliases));
            json.endArray();
            json.endObject();
        }
    }

    private static <V> void put(JsonWriter json, String name, Form<V> form, V value) {
        json.name(name);
        form.write(json, value);
    }

    /** Refuses everything that {@link #write} does not write, or did not in an older version. */
    static Snapshot read(String text) throws SnapshotException {
        var json = new StrictReader(text);
        String cluster = null;
        String policy = null;
        Instant now = null;
        Duration undisturbed = null;
        List<Project> projects = List.of();
        List<Node> nodes = List.of();
        List<Guest> guests = List.of();
        List<JobRow> rows = List.of();
        json.beginObject();
        checkVersion(json);
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "cluster" -> cluster = json.readString();
                case "policy" -> policy = json.readString();
                case "now" -> now = INSTANT.read(json);
                case "undisturbed" -> undisturbed = DURATION.read(json);
                case "projects" -> projects = ClusterParts.PROJECT.list().read(json);
                case "nodes" -> nodes = ClusterParts.NODE.list().read(json);
                case "guests" -> guests = ClusterParts.GUEST.list().read(json);
                case "jobs" -> {
                    if (cluster == null) throw json.wrong("has no cluster");
                    rows = JobForm.of(cluster).list().read(json);
                }
                default -> throw Part.unknown(json);
            }
        }
        json.endObject();
        json.expectEnd();
        if (policy == null || now == null || undisturbed == null) {
            throw new SnapshotException("not a snapshot: policy, now or undisturbed is missing");
        }
        var byName = new HashMap<String, Project>();
        for (Project project : projects) byName.put(project.name(), project);
        var jobs = new ArrayList<Job>();
        var foreseen = new HashMap<JobId, Duration>();
        var known = new HashMap<JobId, Profile>();
        for (JobRow row : rows) {
            jobs.add(row.job());
            row.foreseen().ifPresent(time -> foreseen.put(row.job().id(), time));
            row.known().ifPresent(profile -> known.put(row.job().id(), profile));
        }
        var rules = new Rules(byName, undisturbed);
        return new Snapshot(cluster, policy, now, rules, nodes, guests, jobs, foreseen, known);
    }

    private static void checkVersion(StrictReader json) throws SnapshotException {
        if (!json.hasNextField() || !json.nextField().equals("version")) {
            throw new SnapshotException("not a snapshot: it does not begin with its version");
        }
        int version = json.readInt();
        if (version > Snapshot.VERSION) {
            throw new SnapshotException(
                    "the snapshot has version %d, and this fairlead reads up to %d: use a newer fairlead"
                            .formatted(version, Snapshot.VERSION));
        }
        if (version < 1) throw new SnapshotException("not a snapshot: its version is " + version);
    }
}
