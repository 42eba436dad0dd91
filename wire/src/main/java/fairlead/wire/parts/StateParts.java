package fairlead.wire.parts;

import static fairlead.wire.parts.Form.BOOLEAN;
import static fairlead.wire.parts.Form.INSTANT;
import static fairlead.wire.parts.Form.INT;
import static fairlead.wire.parts.Form.TEXT;
import static fairlead.wire.parts.Part.kind;

import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.Outcome;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.Verdict;
import fairlead.wire.parts.Part.Fields;
import fairlead.wire.parts.Part.Found;
import fairlead.wire.parts.StateFacts.Kind;
import fairlead.wire.parts.StateFacts.Numbered;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a job stands: its attempt, how its tasks have ended, why it stops, what has become of it.
 */
public final class StateParts {
    private StateParts() {}

    public static final Form<JobId> JOB_ID = Form.text(JobId::new);

    public static final Form<Kind> KIND = Form.word("state", Kind.class);

    /** Only what is known: most jobs have neither. */
    public static final Part<Endpoints> ENDPOINTS = Part.of(StateParts::endpoints);

    private static Function<Found, Endpoints> endpoints(Fields<Endpoints> fields) {
        var hosts = fields.unless(List.of(), "hosts", TEXT.list(), Endpoints::hosts);
        var ports = fields.unless(List.of(), "ports", INT.list(), Endpoints::ports);
        return found -> new Endpoints(hosts.in(found), ports.in(found));
    }

    public static final Part<Numbered> ATTEMPT = Part.of(StateParts::attempt);

    private static Function<Found, Numbered> attempt(Fields<Numbered> fields) {
        var number = fields.field("number", INT, Numbered::number);
        var tasks = fields.field("tasks", PlacementParts.TASK.list(), Numbered::tasks);
        var endpoints = fields.inline(ENDPOINTS, Numbered::endpoints);
        return found -> new Numbered(number.in(found), tasks.in(found), endpoints.in(found));
    }

    private static final Part<Exit> EXIT = Part.of(StateParts::exit);

    private static Function<Found, Exit> exit(Fields<Exit> fields) {
        var code = fields.optional("code", INT, exit -> Form.boxed(exit.code()));
        var stopped = fields.unless(false, "stopped", BOOLEAN, Exit::stopped);
        var outOfMemory = fields.unless(false, "outOfMemory", BOOLEAN, Exit::outOfMemory);
        var note = fields.unless("", "note", TEXT, Exit::note);
        var at = fields.field("at", INSTANT, Exit::at);
        return found ->
                new Exit(
                        Form.unboxed(code.in(found)),
                        stopped.in(found),
                        outOfMemory.in(found),
                        note.in(found),
                        at.in(found));
    }

    public static final Form<Map<TaskId, Exit>> EXITS =
            Form.map(
                    Part.of(
                            fields -> {
                                var task =
                                        fields.field(
                                                "task",
                                                PlacementParts.TASK_ID,
                                                Map.Entry<TaskId, Exit>::getKey);
                                var exit = fields.inline(EXIT, Map.Entry::getValue);
                                return found -> Map.entry(task.in(found), exit.in(found));
                            }));

    private static final Form<Outcome.Kind> OUTCOME_KIND = Form.word("outcome", Outcome.Kind.class);

    private static final Part<Outcome> OUTCOME = Part.of(StateParts::outcome);

    private static Function<Found, Outcome> outcome(Fields<Outcome> fields) {
        var kind = fields.field("kind", OUTCOME_KIND, Outcome::kind);
        var exitCode = fields.field("exitCode", INT, Outcome::exitCode);
        var reason = fields.unless("", "reason", TEXT, Outcome::reason);
        return found -> new Outcome(kind.in(found), exitCode.in(found), reason.in(found));
    }

    public static final Part<Verdict> VERDICT =
            Part.oneOf(
                    "verdict",
                    StateParts::word,
                    kind("succeeded", Verdict.Succeeded.class, _ -> _ -> new Verdict.Succeeded()),
                    kind("failed", Verdict.Failed.class, StateParts::failed),
                    kind("lost", Verdict.Lost.class, StateParts::lost));

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Succeeded _ -> "succeeded";
            case Verdict.Failed _ -> "failed";
            case Verdict.Lost _ -> "lost";
        };
    }

    private static Function<Found, Verdict.Failed> failed(Fields<Verdict.Failed> fields) {
        var exitCode = fields.field("exitCode", INT, Verdict.Failed::exitCode, 0);
        var reason = fields.field("reason", TEXT, Verdict.Failed::reason, "");
        return found -> new Verdict.Failed(exitCode.in(found), reason.in(found));
    }

    private static Function<Found, Verdict.Lost> lost(Fields<Verdict.Lost> fields) {
        var reason = fields.field("reason", TEXT, Verdict.Lost::reason, "");
        return found -> new Verdict.Lost(reason.in(found));
    }

    private static final Part<StopReason> STOP_REASON =
            Part.oneOf(
                    "reason to stop",
                    StateParts::word,
                    kind("cancelled", StopReason.Cancelled.class, StateParts::cancelled),
                    kind("preempted", StopReason.Preempted.class, StateParts::preempted),
                    kind("decided", StopReason.Decided.class, StateParts::decided),
                    kind(
                            "time-limit",
                            StopReason.TimeLimit.class,
                            _ -> _ -> new StopReason.TimeLimit()));

    private static String word(StopReason reason) {
        return switch (reason) {
            case StopReason.Cancelled _ -> "cancelled";
            case StopReason.Preempted _ -> "preempted";
            case StopReason.Decided _ -> "decided";
            case StopReason.TimeLimit _ -> "time-limit";
        };
    }

    private static Function<Found, StopReason.Cancelled> cancelled(
            Fields<StopReason.Cancelled> fields) {
        var by = fields.field("by", TEXT, StopReason.Cancelled::by);
        return found -> new StopReason.Cancelled(by.in(found));
    }

    private static Function<Found, StopReason.Preempted> preempted(
            Fields<StopReason.Preempted> fields) {
        var beneficiary = fields.field("beneficiary", JOB_ID, StopReason.Preempted::beneficiary);
        var why = fields.field("why", TEXT, StopReason.Preempted::why);
        var atCheckpoint =
                fields.unless(false, "atCheckpoint", BOOLEAN, StopReason.Preempted::atCheckpoint);
        return found ->
                new StopReason.Preempted(
                        beneficiary.in(found), why.in(found), atCheckpoint.in(found));
    }

    private static Function<Found, StopReason.Decided> decided(Fields<StopReason.Decided> fields) {
        var verdict = fields.field("verdict", VERDICT, StopReason.Decided::verdict);
        return found -> new StopReason.Decided(verdict.in(found));
    }

    /** As journals have it: everything but the job's id. */
    public static final Part<StateFacts> STATE = Part.of(StateParts::state);

    private static Function<Found, StateFacts> state(Fields<StateFacts> fields) {
        var kind = fields.field("state", KIND, StateFacts::kind);
        var since = fields.optional("since", INSTANT, facts -> time(facts, false));
        var notBefore = fields.optional("notBefore", INSTANT, StateFacts::notBefore);
        var at = fields.optional("at", INSTANT, facts -> time(facts, true));
        var outcome = fields.optional("outcome", OUTCOME, StateFacts::outcome);
        var reason = fields.optional("reason", STOP_REASON, StateFacts::reason);
        var attempt = fields.optional("attempt", ATTEMPT, StateFacts::attempt);
        var exits = fields.optional("exits", EXITS, StateFacts::exits);
        return found ->
                new StateFacts(
                        kind.in(found),
                        since.in(found)
                                .or(() -> at.in(found))
                                .orElseThrow(() -> found.lacks("since")),
                        notBefore.in(found),
                        reason.in(found),
                        outcome.in(found),
                        attempt.in(found),
                        exits.in(found));
    }

    /** A state goes on since its time; one that is final was reached at it. */
    private static Optional<Instant> time(StateFacts facts, boolean isFinal) {
        return Optional.of(facts.since()).filter(_ -> isFinal == (facts.kind() == Kind.FINISHED));
    }

    /**
     * As snapshots have it: for whom a job makes way. Why, and whether anything else stops it, does
     * not change a plan.
     */
    public static final Part<Optional<StopReason>> STOPPING_FOR = Part.of(StateParts::stoppingFor);

    private static Function<Found, Optional<StopReason>> stoppingFor(
            Fields<Optional<StopReason>> fields) {
        var beneficiary =
                fields.optional(
                        "stoppingFor", JOB_ID, ofPreempted(StopReason.Preempted::beneficiary));
        var atCheckpoint =
                fields.optional(
                        "atCheckpoint", BOOLEAN, ofPreempted(StopReason.Preempted::atCheckpoint));
        return found ->
                beneficiary
                        .in(found)
                        .map(
                                other ->
                                        new StopReason.Preempted(
                                                other,
                                                "as in the snapshot",
                                                atCheckpoint.in(found).orElse(false)));
    }

    private static <V> Function<Optional<StopReason>, Optional<V>> ofPreempted(
            Function<StopReason.Preempted, V> value) {
        return reason ->
                reason.map(
                        each -> each instanceof StopReason.Preempted it ? value.apply(it) : null);
    }
}
