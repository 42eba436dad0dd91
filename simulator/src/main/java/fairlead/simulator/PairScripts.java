package fairlead.simulator;

import fairlead.control.Message;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Event;
import fairlead.job.Profile;
import fairlead.job.TaskPlacement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Training scripts that share GPUs: each is as fast as the table says beside whoever is on its GPU
 * just then, reports each epoch with the time that it really took, and stops at the end of an epoch
 * when it was asked to. A pair that the table forbids stops the simulation.
 */
final class PairScripts {
    /** The table knows pairs only. */
    private static final int SHARERS_MAX = 2;

    private final PairTable table;
    private final List<PairJob> jobs;
    private final Duration restartCost;
    private final Stage stage;
    private final Agenda agenda;
    private final int[] epochsDone;
    private final Map<AttemptId, Run> runs = new HashMap<>();
    private final Map<String, List<Run>> byGpu = new HashMap<>();
    private double saved;

    PairScripts(PairTable table, List<PairJob> jobs, Duration restartCost, Stage stage) {
        this.table = table;
        this.jobs = jobs;
        this.restartCost = restartCost;
        this.stage = stage;
        this.agenda = stage.agenda;
        this.epochsDone = new int[jobs.size()];
    }

    /** One attempt of a script. */
    private final class Run {
        final AttemptId attempt;
        final int index;
        final PairJob job;
        final String gpu;
        Instant epochBegan = agenda.now().plus(restartCost);
        Instant seen = epochBegan;
        double steps;
        double speed;
        boolean isAsked;

        /** Counts changes of speed, so that what was planned before one is void. */
        int plans;

        Run(AttemptId attempt, int index, String gpu) {
            this.attempt = attempt;
            this.index = index;
            this.job = jobs.get(index);
            this.gpu = gpu;
        }

        /** Counts the steps until now; those of an epoch that is cut short are lost later. */
        void catchUp() {
            if (!agenda.now().isAfter(seen)) return;
            steps += speed * Table.seconds(Duration.between(seen, agenda.now()));
            seen = agenda.now();
        }

        void goOn() {
            catchUp();
            speed = table.alone(job.model());
            for (Run other : byGpu.get(gpu)) {
                if (other != this) speed *= table.kept(job.model(), other.job.model());
            }
            int plan = ++plans;
            Duration starting =
                    seen.isAfter(agenda.now())
                            ? Duration.between(agenda.now(), seen)
                            : Duration.ZERO;
            double left = Math.max(0, job.epochSteps() - steps) / speed;
            agenda.after(
                    starting.plus(Table.duration(left)),
                    () -> {
                        if (plan == plans && runs.get(attempt) == this) epochEnds();
                    });
        }

        private void epochEnds() {
            catchUp();
            steps = 0;
            epochsDone[index]++;
            saved += job.epochSteps() / table.alone(job.model());
            double seconds = Table.seconds(Duration.between(epochBegan, agenda.now()));
            epochBegan = agenda.now();
            var epoch =
                    new Profile.Epoch(
                            epochsDone[index],
                            OptionalDouble.of(seconds),
                            OptionalDouble.of(seconds / job.epochSteps()),
                            0);
            tell(attempt, at -> new Event.EpochEnded(at, attempt, epoch));
            if (isAsked || isDone(index)) stage.engine.finish(attempt);
            else goOn();
        }
    }

    void launched(Effect.Launch launch, int index) {
        List<TaskPlacement> tasks = launch.place().placement().tasks();
        String gpu = tasks.getFirst().node() + "/" + tasks.getFirst().gpus();
        var run = new Run(launch.attempt(), index, gpu);
        List<Run> all = byGpu.computeIfAbsent(gpu, _ -> new ArrayList<>());
        for (Run other : all) {
            if (table.isForbidden(run.job.model(), other.job.model())) {
                throw new AssertionError(
                        run.job.model() + " is put beside " + other.job.model() + " on " + gpu);
            }
        }
        if (all.size() >= SHARERS_MAX) throw new AssertionError("a third script is put on " + gpu);
        runs.put(launch.attempt(), run);
        all.forEach(Run::catchUp);
        all.add(run);
        all.forEach(Run::goOn);
        tell(run.attempt, at -> new Event.TrainingJoined(at, run.attempt));
    }

    private void tell(AttemptId attempt, Function<Instant, Event.Report> report) {
        stage.offer(new Message.Trained(attempt, report, new CompletableFuture<>()));
    }

    /** The script was asked to stop once its work is safe. */
    void asked(AttemptId attempt) {
        runs.get(attempt).isAsked = true;
    }

    /** An attempt of the job has ended; whether the job is done with it. */
    boolean ended(int index) {
        Run run =
                runs.values().stream()
                        .filter(each -> each.index == index)
                        .findFirst()
                        .orElseThrow();
        runs.remove(run.attempt);
        List<Run> left = byGpu.get(run.gpu);
        left.forEach(Run::catchUp);
        left.remove(run);
        left.forEach(Run::goOn);
        return isDone(index);
    }

    private boolean isDone(int index) {
        return epochsDone[index] == jobs.get(index).epochs();
    }

    /** What was done until now, in seconds that it would have taken alone on a GPU. */
    double usefulSeconds() {
        double sum = saved;
        for (Run run : runs.values()) {
            run.catchUp();
            sum += run.steps / table.alone(run.job.model());
        }
        return sum;
    }
}
