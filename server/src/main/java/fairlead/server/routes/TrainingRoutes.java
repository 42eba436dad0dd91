package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.TrainingAnswer;
import fairlead.api.TrainingReport;
import fairlead.control.Controller;
import fairlead.control.Refused;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.Profile;
import fairlead.job.Training;
import fairlead.journal.JournalException;
import fairlead.server.bodies.TrainingBodies;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.runtime.StopOrders;
import fairlead.wire.Json;

import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What training scripts report about themselves, and what was learned from it. */
final class TrainingRoutes {
    private final JobFinder finder;
    private final Controller controller;
    private final Reporting reporting;
    private final StopOrders orders;

    TrainingRoutes(
            JobFinder finder, Controller controller, Reporting reporting, StopOrders orders) {
        this.finder = finder;
        this.controller = controller;
        this.reporting = reporting;
        this.orders = orders;
    }

    private enum Kind {
        HELLO,
        HEARTBEAT,
        EPOCH_START,
        EPOCH_END,
        CHECKPOINT;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** A report whose every field has been checked. */
    private record Told(
            int attempt,
            Kind kind,
            int epoch,
            long step,
            OptionalDouble epochSeconds,
            OptionalDouble stepSeconds,
            long memoryBytes) {
        static Told of(TrainingReport report) {
            var told =
                    new Told(
                            required("attempt", report.attempt(), 1),
                            kind(report.kind()),
                            required("epoch", report.epoch(), 0),
                            number("step", report.step(), Long.MAX_VALUE),
                            seconds("epochSeconds", report.epochSeconds()),
                            seconds("stepSeconds", report.stepSeconds()),
                            number(
                                    "gpuMemoryBytes",
                                    report.gpuMemoryBytes(),
                                    Reporting.MEMORY_BYTES_MAX));
            // Nobody needs the rank, but one that cannot be is a mistake.
            if (report.rank() != null) required("rank", report.rank(), 0);
            if (told.kind == Kind.EPOCH_END && told.epoch < 1)
                throw Problem.invalid("epoch", "epoch: must be at least 1 when one has ended");
            return told;
        }

        private static int required(String field, Integer value, int least) {
            if (value == null) throw Problem.invalid(field, field + ": is missing");
            if (value >= least) return value;
            throw Problem.invalid(
                    field, "%s: must be at least %d, but is %d".formatted(field, least, value));
        }

        private static long number(String field, Long value, long most) {
            if (value == null) return 0;
            if (value >= 0 && value <= most) return value;
            throw Problem.invalid(
                    field, "%s: must be 0 to %d, but is %d".formatted(field, most, value));
        }

        private static OptionalDouble seconds(String field, Double value) {
            if (value == null) return OptionalDouble.empty();
            if (value >= 0 && value <= Reporting.SECONDS_MAX) return Reporting.seconds(value);
            throw Problem.invalid(field, field + ": must be 0 seconds to a year, but is " + value);
        }

        private static Kind kind(String word) {
            for (Kind kind : Kind.values()) if (kind.word().equals(word)) return kind;
            String known =
                    Arrays.stream(Kind.values()).map(Kind::word).collect(Collectors.joining(", "));
            throw Problem.invalid(
                    "kind", "kind: must be one of %s, but is '%.40s'".formatted(known, word));
        }

        /** What becomes of it if it is news; the other kinds bring none of their own. */
        Optional<Function<Instant, Event.Report>> fact(Job job, AttemptId attempt) {
            return switch (kind) {
                case HELLO, HEARTBEAT, EPOCH_START -> Optional.empty();
                case EPOCH_END ->
                        Optional.of(at -> new Event.EpochEnded(at, attempt, measuredEpoch()));
                case CHECKPOINT -> {
                    // Of an epoch that another rank has ended, nothing is left to save.
                    if (epoch < job.progress().epochsDone()) yield Optional.empty();
                    double fraction = fraction(job);
                    yield Optional.of(at -> new Event.CheckpointSaved(at, attempt, fraction));
                }
            };
        }

        /** How much of the epoch the steps are; none when there are more than was declared. */
        private double fraction(Job job) {
            Training training = job.spec().training().orElseThrow();
            double fraction = (double) step / training.steps(job.spec().gpus());
            return fraction <= 1 ? fraction : 0;
        }

        private Profile.Epoch measuredEpoch() {
            return new Profile.Epoch(epoch, epochSeconds, stepSeconds, memoryBytes);
        }

        /** Where this rank asks whether to stop; the other kinds only report. */
        Optional<StopOrders.Point> point() {
            return switch (kind) {
                case EPOCH_START -> Optional.of(new StopOrders.Point(epoch, 0));
                case CHECKPOINT -> Optional.of(new StopOrders.Point(epoch, step));
                case HELLO, HEARTBEAT, EPOCH_END -> Optional.empty();
            };
        }

        /** An epoch that is the last one is always done to its end. */
        boolean mayStop(int epochs) {
            return epoch < (kind == Kind.EPOCH_START ? epochs - 1 : epochs);
        }
    }

    void report(Call call) throws IOException, JournalException, Refused, InterruptedException {
        Job job = finder.find(call);
        call.onlyJob(job.id());
        Told told = Told.of(Json.read(TrainingReport.class, call.shortBody()));
        AttemptId attempt = Reporting.current(job, told.attempt());
        int epochs = job.spec().training().orElseThrow().epochs();
        if (told.epoch() > epochs) {
            throw new Problem(
                    ErrorCode.CONFLICT,
                    "%d epochs done were reported, but the job was submitted with %d"
                            .formatted(told.epoch(), epochs));
        }
        told.point().ifPresent(point -> orders.arrive(job, attempt, point));
        reporting.take(job, attempt, told.fact(job, attempt), told.memoryBytes());
        boolean stops =
                told.point()
                        .map(point -> orders.stops(attempt, point, told.mayStop(epochs)))
                        .orElseGet(() -> orders.isWished(attempt));
        call.send(200, new TrainingAnswer(stops));
    }

    void profile(Call call) throws JournalException {
        Job job = finder.find(call);
        if (job.spec().training().isEmpty()) {
            throw new Problem(
                    ErrorCode.CONFLICT, job.id() + " was not submitted as a training job");
        }
        call.send(200, TrainingBodies.profile(job, known(job)));
    }

    /** A finished job may be of a cluster that is no longer configured. */
    private Profile known(Job job) {
        String cluster = job.spec().cluster();
        boolean isThere =
                controller.clusters().stream().anyMatch(each -> each.name().equals(cluster));
        return isThere
                ? controller.view(cluster).foresight().profile(job)
                : job.progress().profile();
    }
}
