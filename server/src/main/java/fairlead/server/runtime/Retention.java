package fairlead.server.runtime;

import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Removes finished jobs with their logs, on request or once they are old enough. Logs go first:
 * after a crash between the two the record still says that there is something left to do.
 */
public final class Retention {
    private static final System.Logger LOG = System.getLogger(Retention.class.getName());

    /** Small, so that deleting never holds up those who submit for long. */
    private static final int BATCH_MAX = 100;

    private static final Duration BATCH_PAUSE = Duration.ofSeconds(1);
    private static final Duration IDLE_PAUSE = Duration.ofMinutes(10);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    private final Journal journal;
    private final Map<String, Engine> engines;
    private final Predicate<Message> inbox;
    private final Supplier<Instant> clock;
    private final Duration keep;
    private final Consumer<Throwable> bug;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    public Retention(
            Journal journal,
            Map<String, Engine> engines,
            Predicate<Message> inbox,
            Supplier<Instant> clock,
            Duration keep,
            Consumer<Throwable> bug) {
        this.journal = journal;
        this.engines = engines;
        this.inbox = inbox;
        this.clock = clock;
        this.keep = keep;
        this.bug = bug;
        this.thread = Thread.ofPlatform().name("retention").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public void stop(Duration patience) throws InterruptedException {
        stopped.countDown();
        thread.join(patience);
    }

    /** Removes a job that has finished, with its logs. Any thread. */
    public void delete(Job job) throws EngineException, Refused, InterruptedException {
        if (!job.isFinished())
            throw new Refused(Refused.Kind.CONFLICT, job.id() + " is still active; abort it first");
        delete(List.of(job));
    }

    /** The same for several that have finished, in one commit. */
    public void delete(List<Job> finished) throws EngineException, Refused, InterruptedException {
        for (Job job : finished) {
            Engine engine = engines.get(job.spec().cluster());
            if (engine != null) engine.deleteLogs(job.id());
        }
        var answer = new CompletableFuture<List<JobId>>();
        if (!inbox.test(new Message.Delete(finished.stream().map(Job::id).toList(), answer)))
            throw new Refused(Refused.Kind.BUSY, "too many requests wait; try again");
        Answers.await(answer, ANSWER_MAX);
    }

    private void run() {
        try {
            Duration pause = BATCH_PAUSE;
            while (!stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = deleteSome() == BATCH_MAX ? BATCH_PAUSE : IDLE_PAUSE;
            }
        } catch (Throwable broken) {
            bug.accept(broken);
        }
    }

    private int deleteSome() throws InterruptedException {
        try {
            List<JobId> old = journal.finishedBefore(clock.get().minus(keep), BATCH_MAX);
            for (JobId id : old) {
                if (stopped.getCount() == 0) return 0;
                Optional<Job> job = journal.find(id);
                if (job.isPresent()) delete(job.get());
            }
            if (!old.isEmpty())
                LOG.log(
                        System.Logger.Level.INFO,
                        "deleted {0} jobs that ended over {1} ago",
                        old.size(),
                        keep);
            return old.size();
        } catch (JournalException | EngineException | Refused failure) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "old jobs were not deleted, will try again: {0}",
                    failure.getMessage());
            return 0;
        }
    }
}
