package fairlead.simulator;

import fairlead.control.Message;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Event;
import fairlead.job.JobSpec;
import fairlead.job.Profile;
import fairlead.job.Setup;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The scripts of a replay's training jobs: each learns as fast as its curve says on what it got,
 * reports every epoch, and stops when it is asked to and its work is safe.
 */
final class Trainees {
    /** Epochs are sums of fractions: so much less than a whole one is a whole one. */
    private static final double ROUNDING = 1e-6;

    /** How often a script saves inside an epoch. */
    private static final Duration CHECKPOINT_EVERY = Duration.ofMinutes(1);

    private final Agenda agenda;
    private final Duration restartCost;
    private final Checkpoints checkpoints;
    private final SimulatedEngine engine;
    private final Consumer<Message> inbox;
    private final Map<Integer, Double> epochsDone = new HashMap<>();
    private final Map<AttemptId, Run> runs = new HashMap<>();

    /** When a script's work is safe. */
    public enum Checkpoints {
        /** At the end of each epoch. */
        EPOCH,

        /** At any time: it saves inside epochs too. */
        INSIDE
    }

    Trainees(
            Agenda agenda,
            Duration restartCost,
            Checkpoints checkpoints,
            SimulatedEngine engine,
            Consumer<Message> inbox) {
        this.agenda = agenda;
        this.restartCost = restartCost;
        this.checkpoints = checkpoints;
        this.engine = engine;
        this.inbox = inbox;
    }

    /** One attempt of a script. */
    private final class Run {
        final AttemptId attempt;
        final int job;
        final TraceCurve curve;
        final double epochSeconds;
        final double doneBefore;
        final Instant begun = agenda.now();
        int reported;
        boolean isAsked;

        Run(AttemptId attempt, int job, TraceCurve curve, Setup setup) {
            this.attempt = attempt;
            this.job = job;
            this.curve = curve;
            this.epochSeconds = curve.epochSeconds(setup);
            this.doneBefore = epochsDone.getOrDefault(job, 0.0);
            this.reported = (int) doneBefore;
        }

        double done() {
            double ran = Table.seconds(Duration.between(begun, agenda.now()).minus(restartCost));
            double done = doneBefore + Math.max(0, ran) / epochSeconds;
            return Math.min(done, curve.epochs());
        }

        Duration until(double epochs) {
            Instant end =
                    begun.plus(restartCost)
                            .plus(Table.duration((epochs - doneBefore) * epochSeconds));
            return Duration.between(agenda.now(), end);
        }

        void epochEnds() {
            if (runs.get(attempt) != this) return;
            report();
            boolean isLast = reported == curve.epochs();
            if (isAsked && !isLast) engine.finish(attempt);
            else if (!isLast) agenda.after(until(reported + 1), this::epochEnds);
        }

        private void report() {
            int done = (int) (done() + ROUNDING);
            if (done == reported) return;
            reported = done;
            // Also for an epoch that began in an earlier attempt: its steps here tell the speed.
            var seconds = OptionalDouble.of(epochSeconds);
            var epoch = new Profile.Epoch(done, seconds, OptionalDouble.empty(), 0);
            tell(attempt, at -> new Event.EpochEnded(at, attempt, epoch));
        }

        private void saves() {
            if (runs.get(attempt) != this) return;
            tellSaved();
            agenda.after(CHECKPOINT_EVERY, this::saves);
        }

        private void savesAndEnds() {
            if (runs.get(attempt) != this) return;
            tellSaved();
            engine.finish(attempt);
        }

        private void tellSaved() {
            double fraction = Math.max(0, done() - (int) (done() + ROUNDING));
            tell(attempt, at -> new Event.CheckpointSaved(at, attempt, fraction));
        }
    }

    void launched(Effect.Launch launch, int job, TraceCurve curve) {
        var setup = Setup.alone(launch.place().placement());
        var run = new Run(launch.attempt(), job, curve, setup);
        runs.put(launch.attempt(), run);
        tell(run.attempt, at -> new Event.TrainingJoined(at, run.attempt));
        agenda.after(run.until(run.reported + 1), run::epochEnds);
        if (checkpoints == Checkpoints.INSIDE) agenda.after(CHECKPOINT_EVERY, run::saves);
    }

    private void tell(AttemptId attempt, Function<Instant, Event.Report> report) {
        inbox.accept(new Message.Trained(attempt, report, new CompletableFuture<>()));
    }

    /** On what the spec was given, if nobody disturbs it. */
    Duration runTime(JobSpec spec, int job, TraceCurve curve) {
        int tasks = spec.tasks();
        double left = curve.epochs() - epochsDone.getOrDefault(job, 0.0);
        double epoch = curve.epochSeconds(Setup.alone(tasks, spec.gpus()));
        return restartCost.plus(Table.duration(left * epoch));
    }

    /** The script was asked to stop once its work is safe. */
    void asked(AttemptId attempt) {
        Run run = runs.get(attempt);
        run.isAsked = true;
        if (checkpoints == Checkpoints.INSIDE) agenda.after(Duration.ZERO, run::savesAndEnds);
    }

    /** An attempt of the job has ended; whether the job is done with it. */
    boolean ended(int job) {
        Run run = runs.values().stream().filter(each -> each.job == job).findFirst().orElseThrow();
        runs.remove(run.attempt);
        double done = run.done();
        run.report();
        // What was not saved is lost.
        boolean isSafe = checkpoints == Checkpoints.INSIDE;
        epochsDone.put(job, isSafe ? done : (int) (done + ROUNDING));
        return done > run.curve.epochs() - ROUNDING;
    }
}
