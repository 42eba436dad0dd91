package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.control.Reports;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.server.http.Problem;
import fairlead.server.runtime.Questions;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Takes in what training scripts report. Only news goes to the controller: all ranks of all jobs
 * send heartbeats, and most say nothing new. Any thread.
 */
final class Reporting {
    /** Longer than any epoch; keeps every sum of times far from its end. */
    static final double SECONDS_MAX = Duration.ofDays(365).toSeconds();

    /** Less is no measurement, and nobody shall divide by it. */
    private static final double SECONDS_LEAST = 1e-6;

    /** No GPU has a pebibyte. */
    static final long MEMORY_BYTES_MAX = 1L << 50;

    private final Questions questions;
    private final Supplier<Instant> clock;

    Reporting(Questions questions, Supplier<Instant> clock) {
        this.questions = questions;
        this.clock = clock;
    }

    /** A measured time; empty when it measures nothing. */
    static OptionalDouble seconds(double told) {
        return told >= SECONDS_LEAST && told <= SECONDS_MAX
                ? OptionalDouble.of(told)
                : OptionalDouble.empty();
    }

    /** The attempt in which scripts of this job may report. */
    static AttemptId current(Job job) {
        if (job.isFinished()) throw new Problem(ErrorCode.GONE, job.id() + " has ended");
        if (job.spec().training().isEmpty()) {
            throw new Problem(
                    ErrorCode.CONFLICT, job.id() + " was not submitted as a training job");
        }
        if (job.state() instanceof JobState.Active alive) return alive.attempt().id();
        throw new Problem(ErrorCode.GONE, "no attempt of " + job.id() + " runs now");
    }

    /** The same, when it is the one with this number. */
    static AttemptId current(Job job, int number) {
        if (number > job.attempts()) {
            throw new Problem(
                    ErrorCode.CONFLICT,
                    "there is no attempt %d of %s yet".formatted(number, job.id()));
        }
        AttemptId current = current(job);
        if (current.number() == number) return current;
        throw new Problem(ErrorCode.GONE, "attempt %d of %s is over".formatted(number, job.id()));
    }

    /**
     * The job once all that is new in a report is durable. Whatever a script says first in an
     * attempt also says that it is there.
     *
     * @param told what is to become a fact; a refusal of it leaves everything as it was
     * @param memoryBytes the most that one GPU has held; zero when the script cannot say
     */
    Job take(
            Job job,
            AttemptId attempt,
            Optional<Function<Instant, Event.Report>> told,
            long memoryBytes)
            throws Refused, InterruptedException {
        Job after = job;
        if (told.isPresent()) after = takeNews(after, attempt, told.get());
        if (memoryBytes > 0) {
            after =
                    takeNews(
                            after,
                            attempt,
                            at -> new Event.MemoryMeasured(at, attempt, memoryBytes));
        }
        return takeNews(after, attempt, at -> new Event.TrainingJoined(at, attempt));
    }

    private Job takeNews(Job job, AttemptId attempt, Function<Instant, Event.Report> fact)
            throws Refused, InterruptedException {
        Event.Report report = fact.apply(clock.get());
        Optional<String> problem = Reports.problem(job, report);
        if (problem.isPresent()) throw new Problem(ErrorCode.CONFLICT, problem.get());
        if (!Reports.isNews(job, report)) return job;
        return questions.ask(new Message.Trained(attempt, fact, new CompletableFuture<>()));
    }
}
