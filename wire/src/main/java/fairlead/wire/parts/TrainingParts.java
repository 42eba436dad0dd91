package fairlead.wire.parts;

import static fairlead.wire.parts.Form.BOOLEAN;
import static fairlead.wire.parts.Form.DOUBLE;
import static fairlead.wire.parts.Form.DURATION;
import static fairlead.wire.parts.Form.INSTANT;
import static fairlead.wire.parts.Form.INT;
import static fairlead.wire.parts.Form.LONG;
import static fairlead.wire.parts.Form.TEXT;

import fairlead.job.JobId;
import fairlead.job.Profile;
import fairlead.job.Progress;
import fairlead.job.Setbacks;
import fairlead.job.Setup;
import fairlead.job.Training;
import fairlead.wire.parts.Part.Fields;
import fairlead.wire.parts.Part.Found;
import fairlead.wire.parts.Part.Value;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;

/** What training jobs declare, how far they have come, and what preemptions cost jobs. */
public final class TrainingParts {
    private TrainingParts() {}

    public static final Part<Training> TRAINING = Part.of(TrainingParts::training);

    private static Function<Found, Training> training(Fields<Training> fields) {
        var epochs = fields.field("epochs", INT, Training::epochs);
        var batch = fields.field("batchSize", INT, Training::batchSize, 1);
        var set = fields.field("trainingSetSize", LONG, Training::trainingSetSize, 1L);
        var gpus = fields.field("gpus", INT, Training::gpus, 0);
        var min = fields.field("gpusMin", INT, Training::gpusMin, 0);
        var max = fields.field("gpusMax", INT, Training::gpusMax, 0);
        var sharing = fields.field("sharing", BOOLEAN, Training::sharing, true);
        var memory = fields.optional("memoryBytes", LONG, Training::memoryBytes);
        var estimate = fields.optional("estimate", DURATION, Training::estimate);
        var deadline = fields.optional("deadline", INSTANT, Training::deadline);
        return found ->
                new Training(
                        epochs.in(found),
                        batch.in(found),
                        set.in(found),
                        gpus.in(found),
                        min.in(found),
                        max.in(found),
                        sharing.in(found),
                        memory.in(found),
                        estimate.in(found),
                        deadline.in(found));
    }

    private static final Part<Setup> SETUP = Part.of(TrainingParts::setup);

    private static Function<Found, Setup> setup(Fields<Setup> fields) {
        var tasks = fields.field("tasks", INT, Setup::tasks);
        var gpus = fields.field("gpus", INT, Setup::gpus);
        var beside = fields.unless(Setup.ALONE, "beside", TEXT, Setup::beside);
        return found -> new Setup(tasks.in(found), gpus.in(found), beside.in(found));
    }

    private static final Part<Profile.Speed> SPEED = Part.of(TrainingParts::speed);

    private static Function<Found, Profile.Speed> speed(Fields<Profile.Speed> fields) {
        var epoch = fields.field("epochSeconds", DOUBLE, Profile.Speed::epochSeconds);
        var step = fields.field("stepSeconds", DOUBLE, Profile.Speed::stepSeconds);
        var epochs = fields.field("epochs", INT, Profile.Speed::epochs);
        return found -> new Profile.Speed(epoch.in(found), step.in(found), epochs.in(found));
    }

    private static final Part<Map.Entry<Setup, Profile.Speed>> MEASURED =
            Part.of(TrainingParts::measured);

    private static Function<Found, Map.Entry<Setup, Profile.Speed>> measured(
            Fields<Map.Entry<Setup, Profile.Speed>> fields) {
        var setup = fields.inline(SETUP, Map.Entry::getKey);
        var speed = fields.inline(SPEED, Map.Entry::getValue);
        return found -> Map.entry(setup.in(found), speed.in(found));
    }

    public static final Part<Profile> PROFILE = Part.of(TrainingParts::profile);

    private static Function<Found, Profile> profile(Fields<Profile> fields) {
        var memory = fields.field("memoryBytes", LONG, Profile::memoryBytes, 0L);
        var speeds = fields.field("speeds", Form.map(MEASURED), Profile::speeds, Map.of());
        return found -> new Profile(speeds.in(found), memory.in(found));
    }

    /** As journals have it: what was measured is in the same object. */
    public static final Part<Progress> PROGRESS =
            progress(fields -> fields.inline(PROFILE, Progress::profile));

    /** As snapshots have it: what was measured is an object of its own. */
    public static final Part<Progress> PROGRESS_WITH_PROFILE =
            progress(fields -> fields.field("profile", PROFILE, Progress::profile, Profile.NONE));

    private static Part<Progress> progress(Function<Fields<Progress>, Value<Profile>> measured) {
        return Part.of(
                fields -> {
                    var attempt = fields.field("attempt", INT, Progress::attempt, 0);
                    var done = fields.field("epochsDone", INT, Progress::epochsDone, 0);
                    var fraction = fields.unless(0.0, "fraction", DOUBLE, Progress::fraction);
                    var safe = fields.optional("safe", INSTANT, Progress::safe);
                    var profile = measured.apply(fields);
                    return found ->
                            new Progress(
                                    attempt.in(found),
                                    done.in(found),
                                    fraction.in(found),
                                    safe.in(found),
                                    profile.in(found));
                });
    }

    private static final Part<Setbacks.Receipt> RECEIPT = Part.of(TrainingParts::receipt);

    private static Function<Found, Setbacks.Receipt> receipt(Fields<Setbacks.Receipt> fields) {
        var at = fields.field("at", INSTANT, Setbacks.Receipt::at, Instant.EPOCH);
        var beneficiary =
                fields.field("beneficiary", Form.text(JobId::new), Setbacks.Receipt::beneficiary);
        var why = fields.field("why", TEXT, Setbacks.Receipt::why, "");
        var lost = fields.field("lost", DURATION, Setbacks.Receipt::lost, Duration.ZERO);
        return found ->
                new Setbacks.Receipt(
                        at.in(found), beneficiary.in(found), why.in(found), lost.in(found));
    }

    /** As journals have it. */
    public static final Part<Setbacks> SETBACKS = setbacks("last");

    /** As snapshots have it, under the name that their first readers know. */
    public static final Part<Setbacks> SETBACKS_WITH_RECEIPTS = setbacks("receipts");

    private static Part<Setbacks> setbacks(String list) {
        return Part.of(
                fields -> {
                    var lost = fields.field("lost", DURATION, Setbacks::lost, Duration.ZERO);
                    var last = fields.field(list, RECEIPT.list(), Setbacks::last);
                    return found -> new Setbacks(lost.in(found), last.in(found));
                });
    }
}
