package fairlead.server.snapshot;

import fairlead.api.StrictReader;
import fairlead.cluster.Gpu;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Profile;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/** Reads what {@link SnapshotWriter} writes, and refuses everything else. */
final class SnapshotReader {

    private final StrictReader json;
    private final Map<JobId, Duration> foreseen = new HashMap<>();
    private final Map<JobId, Profile> profiles = new HashMap<>();
    private String cluster;

    private SnapshotReader(String text) {
        this.json = new StrictReader(text);
    }

    static Snapshot read(String text) throws SnapshotException {
        return new SnapshotReader(text).snapshot();
    }

    private Snapshot snapshot() throws SnapshotException {
        String policy = null;
        Instant now = null;
        Duration undisturbed = null;
        List<Project> projects = List.of();
        List<Node> nodes = List.of();
        List<Guest> guests = List.of();
        List<Job> jobs = List.of();
        json.beginObject();
        checkVersion();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "cluster" -> cluster = json.readString();
                case "policy" -> policy = json.readString();
                case "now" -> now = Instant.parse(json.readString());
                case "undisturbed" -> undisturbed = Duration.parse(json.readString());
                case "projects" -> projects = list(this::project);
                case "nodes" -> nodes = list(this::node);
                case "guests" -> guests = list(this::guest);
                case "jobs" -> jobs = list(this::job);
                default -> throw json.wrong("is not a known field");
            }
        }
        json.endObject();
        json.expectEnd();
        if (policy == null || now == null || undisturbed == null) {
            throw new SnapshotException("not a snapshot: policy, now or undisturbed is missing");
        }
        var byName = new HashMap<String, Project>();
        for (Project project : projects) byName.put(project.name(), project);
        return new Snapshot(
                cluster,
                policy,
                now,
                new Rules(byName, undisturbed),
                nodes,
                guests,
                jobs,
                foreseen,
                profiles);
    }

    private void checkVersion() throws SnapshotException {
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

    private Project project() {
        String name = null;
        OptionalInt quota = OptionalInt.empty();
        OptionalInt most = OptionalInt.empty();
        Duration limit = Project.INTERACTIVE_LIMIT;
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "name" -> name = json.readString();
                case "quota" -> quota = OptionalInt.of(json.readInt());
                case "interactiveMax" -> most = OptionalInt.of(json.readInt());
                case "interactiveLimit" -> limit = Duration.parse(json.readString());
                default -> throw json.wrong("is not a known field");
            }
        }
        return new Project(given(name, "name"), quota, Set.of(), most, limit);
    }

    private Guest guest() {
        String owner = null;
        String node = null;
        Instant created = null;
        int gpus = 0;
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "owner" -> owner = json.readString();
                case "gpus" -> gpus = json.readInt();
                case "node" -> node = json.readString();
                case "created" -> created = Instant.parse(json.readString());
                default -> throw json.wrong("is not a known field");
            }
        }
        Instant since = given(created, "created");
        return new Guest(
                "guest",
                "",
                given(owner, "owner"),
                0,
                gpus,
                Optional.of(given(node, "node")),
                "Running",
                since,
                Optional.of(since));
    }

    private Node node() {
        String name = null;
        boolean ready = false;
        int cpus = 0;
        long memory = 0;
        List<Gpu> gpus = List.of();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "name" -> name = json.readString();
                case "ready" -> ready = json.readBoolean();
                case "cpus" -> cpus = json.readInt();
                case "memoryBytes" -> memory = json.readLong();
                case "gpus" -> gpus = list(this::gpu);
                default -> throw json.wrong("is not a known field");
            }
        }
        return new Node(given(name, "name"), gpus, cpus, memory, ready);
    }

    private Gpu gpu() {
        int index = 0;
        String type = null;
        long memory = 0;
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "index" -> index = json.readInt();
                case "type" -> type = json.readString();
                case "memoryBytes" -> memory = json.readLong();
                default -> throw json.wrong("is not a known field");
            }
        }
        return new Gpu(index, given(type, "type"), memory);
    }

    private Job job() {
        var draft = new JobDraft(given(cluster, "cluster"));
        var training = new TrainingReader(json);
        Optional<Duration> expected = Optional.empty();
        Optional<Profile> profile = Optional.empty();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "id" -> draft.id = new JobId(json.readString());
                case "owner" -> draft.owner = json.readString();
                case "project" -> draft.project = json.readString();
                case "submitted" -> draft.submitted = Instant.parse(json.readString());
                case "priority" -> draft.priority = json.readInt();
                case "interactive" -> draft.interactive = json.readBoolean();
                case "timeLimit" ->
                        draft.timeLimit = Optional.of(Duration.parse(json.readString()));
                case "attempts" -> draft.attempts = json.readInt();
                case "served" -> draft.served = Duration.parse(json.readString());
                case "foreseen" -> expected = Optional.of(Duration.parse(json.readString()));
                case "script" -> draft.script = json.readString();
                case "roles" -> draft.roles = list(this::role);
                case "state" -> draft.word = json.readString();
                case "since" -> draft.since = Instant.parse(json.readString());
                case "notBefore" -> draft.notBefore = Instant.parse(json.readString());
                case "started" -> draft.started = Optional.of(Instant.parse(json.readString()));
                case "atCheckpoint" -> draft.atCheckpoint = json.readBoolean();
                case "training" -> draft.training = Optional.of(training.training());
                case "progress" -> draft.progress = training.progress();
                case "known" -> profile = Optional.of(training.profile());
                case "setbacks" -> draft.setbacks = training.setbacks();
                case "stoppingFor" -> draft.stoppingFor = Optional.of(new JobId(json.readString()));
                case "tasks" -> draft.tasks = list(this::task);
                default -> throw json.wrong("is not a known field");
            }
        }
        Job job = draft.job();
        expected.ifPresent(time -> foreseen.put(job.id(), time));
        profile.ifPresent(known -> profiles.put(job.id(), known));
        return job;
    }

    private Role role() {
        String name = null;
        int count = 0;
        int gpus = 0;
        GpuPart part = GpuPart.WHOLE;
        Optional<String> type = Optional.empty();
        int cpus = 0;
        long memory = 0;
        List<Role.Ports> ports = List.of();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "name" -> name = json.readString();
                case "count" -> count = json.readInt();
                case "gpus" -> gpus = json.readInt();
                case "thousandths" -> part = new GpuPart.Fraction(json.readInt());
                case "gpuMemoryBytes" -> part = new GpuPart.Memory(json.readLong());
                case "gpuType" -> type = Optional.of(json.readString());
                case "cpus" -> cpus = json.readInt();
                case "memoryBytes" -> memory = json.readLong();
                case "ports" -> ports = list(this::ports);
                default -> throw json.wrong("is not a known field");
            }
        }
        return new Role(
                given(name, "name"),
                count,
                List.of(JobDraft.NO_SCRIPT),
                new Resources(gpus, part, type, cpus, memory),
                OptionalInt.empty(),
                OptionalInt.empty(),
                ports);
    }

    private Role.Ports ports() {
        String label = null;
        int first = 0;
        int count = 0;
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "label" -> label = json.readString();
                case "first" -> first = json.readInt();
                case "count" -> count = json.readInt();
                default -> throw json.wrong("is not a known field");
            }
        }
        return new Role.Ports(given(label, "label"), first, count);
    }

    private TaskPlacement task() {
        TaskId task = null;
        String node = null;
        List<Share> shares = List.of();
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "task" -> task = TaskId.parse(json.readString());
                case "node" -> node = json.readString();
                case "shares" -> shares = list(this::share);
                default -> throw json.wrong("is not a known field");
            }
        }
        return new TaskPlacement(given(task, "task"), given(node, "node"), shares);
    }

    private Share share() {
        int gpu = 0;
        long units = 0;
        while (json.hasNextField()) {
            switch (json.nextField()) {
                case "gpu" -> gpu = json.readInt();
                case "units" -> units = json.readLong();
                default -> throw json.wrong("is not a known field");
            }
        }
        return new Share(gpu, units);
    }

    private <T> List<T> list(Supplier<T> body) {
        var all = new ArrayList<T>();
        json.beginArray();
        while (json.hasNextElement()) {
            json.beginObject();
            all.add(body.get());
            json.endObject();
        }
        json.endArray();
        return all;
    }

    private <T> T given(T value, String name) {
        if (value == null) throw json.wrong("has no " + name);
        return value;
    }
}
