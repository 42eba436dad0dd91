package fairlead.server.snapshot;

import static fairlead.wire.parts.Form.BOOLEAN;
import static fairlead.wire.parts.Form.DURATION;
import static fairlead.wire.parts.Form.INSTANT;
import static fairlead.wire.parts.Form.INT;
import static fairlead.wire.parts.Form.LONG;
import static fairlead.wire.parts.Form.TEXT;

import fairlead.job.Endpoints;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Resources;
import fairlead.job.RetryPolicy;
import fairlead.job.Role;
import fairlead.job.Setbacks;
import fairlead.job.StopReason;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;
import fairlead.wire.parts.Part;
import fairlead.wire.parts.Part.Fields;
import fairlead.wire.parts.Part.Found;
import fairlead.wire.parts.Part.Value;
import fairlead.wire.parts.PlacementParts;
import fairlead.wire.parts.StateFacts;
import fairlead.wire.parts.StateParts;
import fairlead.wire.parts.TrainingParts;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** The form of a job in a snapshot: what a policy sees of it, and no more. */
final class JobForm {
    private static final String NO_SCRIPT = "none";

    private static final Part<Role.Ports> PORTS = Part.of(JobForm::ports);

    private static Function<Found, Role.Ports> ports(Fields<Role.Ports> fields) {
        var label = fields.field("label", TEXT, Role.Ports::label);
        var first = fields.field("first", INT, Role.Ports::first);
        var count = fields.field("count", INT, Role.Ports::count);
        return found -> new Role.Ports(label.in(found), first.in(found), count.in(found));
    }

    private static final Part<Resources> RESOURCES = Part.of(JobForm::resources);

    private static Function<Found, Resources> resources(Fields<Resources> fields) {
        var gpus = fields.field("gpus", INT, Resources::gpus, 0);
        var thousandths = fields.optional("thousandths", INT, JobForm::thousandths);
        var memory = fields.optional("gpuMemoryBytes", LONG, JobForm::gpuMemory);
        var type = fields.optional("gpuType", TEXT, Resources::gpuType);
        var cpus = fields.field("cpus", INT, Resources::cpus, 0);
        var bytes = fields.field("memoryBytes", LONG, Resources::memoryBytes, 0L);
        var labels = fields.field("labels", TEXT.list(), Resources::labels, List.of());
        return found ->
                new Resources(
                        gpus.in(found),
                        part(thousandths.in(found), memory.in(found)),
                        type.in(found),
                        cpus.in(found),
                        bytes.in(found),
                        List.of(),
                        labels.in(found));
    }

    private static final Part<Role> ROLE = Part.of(JobForm::role);

    private static Function<Found, Role> role(Fields<Role> fields) {
        var name = fields.field("name", TEXT, Role::name);
        var count = fields.field("count", INT, Role::count, 0);
        var resources = fields.inline(RESOURCES, Role::resources);
        // Only what decides on a place: any free port is as good as another.
        var ports =
                fields.field(
                        "ports",
                        PORTS.list(),
                        role -> role.ports().stream().filter(Role.Ports::isFixed).toList(),
                        List.of());
        return found ->
                new Role(
                        name.in(found),
                        count.in(found),
                        List.of(NO_SCRIPT),
                        resources.in(found),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        ports.in(found));
    }

    private static Optional<Integer> thousandths(Resources resources) {
        return resources.part() instanceof GpuPart.Fraction(int thousandths)
                ? Optional.of(thousandths)
                : Optional.empty();
    }

    private static Optional<Long> gpuMemory(Resources resources) {
        return resources.part() instanceof GpuPart.Memory(long bytes)
                ? Optional.of(bytes)
                : Optional.empty();
    }

    private static GpuPart part(Optional<Integer> thousandths, Optional<Long> memory) {
        if (memory.isPresent()) return new GpuPart.Memory(memory.get());
        return thousandths.<GpuPart>map(GpuPart.Fraction::new).orElse(GpuPart.WHOLE);
    }

    private final String cluster;
    private final Value<JobId> id;
    private final Value<String> owner;
    private final Value<String> project;
    private final Value<Instant> submitted;
    private final Value<Integer> priority;
    private final Value<Boolean> interactive;
    private final Value<Optional<Duration>> timeLimit;
    private final Value<Integer> attempts;
    private final Value<Duration> served;
    private final Value<Optional<Duration>> foreseen;
    private final Value<String> script;
    private final Value<List<Role>> roles;
    private final Value<Optional<Training>> training;
    private final Value<Optional<Progress>> progress;
    private final Value<Optional<Profile>> known;
    private final Value<Setbacks> setbacks;
    private final Value<StateFacts.Kind> kind;
    private final Value<Instant> since;
    private final Value<Optional<Instant>> notBefore;
    private final Value<Optional<Instant>> started;
    private final Value<Optional<StopReason>> stoppingFor;
    private final Value<Optional<List<TaskPlacement>>> tasks;

    /**
     * @param cluster where all jobs of the snapshot are
     */
    static Part<JobRow> of(String cluster) {
        return Part.of(fields -> new JobForm(cluster, fields)::row);
    }

    private JobForm(String cluster, Fields<JobRow> fields) {
        this.cluster = cluster;
        id = fields.field("id", StateParts.JOB_ID, of(Job::id));
        owner = fields.field("owner", TEXT, of(Job::owner));
        project = fields.field("project", TEXT, of(job -> job.spec().project()));
        submitted = fields.field("submitted", INSTANT, of(Job::submitted));
        priority = fields.field("priority", INT, of(Job::priority), 0);
        interactive =
                fields.field("interactive", BOOLEAN, of(job -> job.spec().interactive()), false);
        timeLimit = fields.optional("timeLimit", DURATION, of(job -> job.spec().timeLimit()));
        attempts = fields.field("attempts", INT, of(Job::attempts), 0);
        served = fields.field("served", DURATION, of(Job::served), Duration.ZERO);
        foreseen = fields.optional("foreseen", DURATION, JobRow::foreseen);
        script = fields.field("script", TEXT, JobRow::script, NO_SCRIPT);
        roles = fields.field("roles", ROLE.list(), of(job -> job.spec().roles()), List.of());
        training =
                fields.optional(
                        "training", TrainingParts.TRAINING, of(job -> job.spec().training()));
        progress =
                fields.optional("progress", TrainingParts.PROGRESS_WITH_PROFILE, JobRow::progress);
        known = fields.optional("known", TrainingParts.PROFILE, JobRow::known);
        setbacks =
                fields.unless(
                        Setbacks.NONE,
                        "setbacks",
                        TrainingParts.SETBACKS_WITH_RECEIPTS,
                        of(Job::setbacks));
        kind = fields.field("state", StateParts.KIND, ofState(StateFacts::kind));
        since = fields.field("since", INSTANT, ofState(StateFacts::since));
        notBefore = fields.optional("notBefore", INSTANT, ofState(StateFacts::notBefore));
        started =
                fields.optional(
                        "started",
                        INSTANT,
                        of(job -> isActive(job) ? job.started() : Optional.empty()));
        stoppingFor = fields.inline(StateParts.STOPPING_FOR, ofState(StateFacts::reason));
        tasks =
                fields.optional(
                        "tasks",
                        PlacementParts.TASK_WITH_SHARES.list(),
                        ofState(facts -> facts.attempt().map(StateFacts.Numbered::tasks)));
    }

    private static <V> Function<JobRow, V> of(Function<Job, V> value) {
        return row -> value.apply(row.job());
    }

    private static <V> Function<JobRow, V> ofState(Function<StateFacts, V> value) {
        return of(job -> value.apply(StateFacts.of(job.state())));
    }

    private static boolean isActive(Job job) {
        return job.state() instanceof JobState.Active;
    }

    private JobRow row(Found found) {
        var job =
                new Job(
                        id.in(found),
                        spec(found),
                        owner.in(found),
                        submitted.in(found),
                        Optional.empty(),
                        Optional.empty(),
                        priority.in(found),
                        state(found),
                        attempts.in(found),
                        0,
                        0,
                        started(found),
                        Optional.empty(),
                        served.in(found),
                        setbacks.in(found),
                        progress.in(found).orElse(Progress.NONE),
                        RetryPolicy.Tries.NONE);
        return new JobRow(
                job, script.in(found), foreseen.in(found), progress.in(found), known.in(found));
    }

    private JobSpec spec(Found found) {
        var command = List.of(script.in(found));
        return JobSpec.of(
                edit -> {
                    edit.name = "snapshot";
                    edit.cluster = cluster;
                    edit.project = project.in(found);
                    edit.priority = priority.in(found);
                    edit.roles =
                            roles.in(found).stream().map(role -> role.running(command)).toList();
                    edit.timeLimit = timeLimit.in(found);
                    edit.workingFolder = "/";
                    edit.interactive = interactive.in(found);
                    edit.training = training.in(found);
                });
    }

    /** The first version did not say it, and meant the same time as its state's. */
    private Optional<Instant> started(Found found) {
        return started.in(found)
                .or(
                        () ->
                                Optional.of(since.in(found))
                                        .filter(_ -> kind.in(found) != StateFacts.Kind.STARTING));
    }

    private JobState state(Found found) {
        var cancelled = new StopReason.Cancelled(owner.in(found));
        var attempt =
                new StateFacts.Numbered(
                        attempts.in(found), tasks.in(found).orElse(List.of()), Endpoints.NONE);
        return new StateFacts(
                        kind.in(found),
                        since.in(found),
                        notBefore.in(found),
                        stoppingFor.in(found).or(() -> Optional.of(cancelled)),
                        Optional.empty(),
                        Optional.of(attempt),
                        Optional.empty())
                .state(id.in(found));
    }
}
