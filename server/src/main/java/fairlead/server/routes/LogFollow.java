package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.TaskLog;
import fairlead.job.AttemptId;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.TaskId;
import fairlead.journal.JournalException;
import fairlead.server.http.Problem;
import fairlead.server.http.Sse;
import fairlead.server.http.WholeCharacters;
import fairlead.server.runtime.Facts;
import fairlead.wire.Json;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * One peer that follows a task's log through all attempts, to the job's end. Holds no more than one
 * block of it in memory; how fast it goes on is up to the peer.
 */
final class LogFollow {
    private static final int BLOCK_BYTES = 32 * 1024;

    /** How late a byte may be seen; asking for the length of a file takes microseconds. */
    private static final Duration LOOK_PERIOD = Duration.ofMillis(40);

    private final JobFinder finder;
    private final JobRoutes jobs;
    private final Engine engine;
    private final Facts.Watch watch;
    private final Sse sse;
    private final JobId id;
    private final TaskId task;
    private int attempt;
    private long offset;
    private TaskLog log;

    LogFollow(
            JobFinder finder,
            JobRoutes jobs,
            Engine engine,
            Facts.Watch watch,
            Sse sse,
            JobId id,
            TaskId task) {
        this.finder = finder;
        this.jobs = jobs;
        this.engine = engine;
        this.watch = watch;
        this.sse = sse;
        this.id = id;
        this.task = task;
    }

    /** Returns at the job's end, or when the server stops; then the peer resumes elsewhere. */
    void run(LogRoutes.Place from) throws IOException {
        try {
            sse.begin();
            begin(from);
            while (!sse.isClosed()) {
                Optional<Job> job = finder.current(id);
                if (job.isEmpty()) throw new Problem(ErrorCode.NOT_FOUND, id + " has been deleted");
                if (step(job.get())) return;
            }
        } catch (JournalException | EngineException | InterruptedException | Problem failure) {
            sse.fail(Problem.of(failure).orElseThrow());
        }
    }

    private void begin(LogRoutes.Place from) throws IOException, EngineException {
        attempt = from.attempt();
        offset = from.offset();
        if (attempt == 0) return;
        log = open();
        offset = LogRoutes.begin(log, log.end(), from);
    }

    /** Sends what there is and waits for more; true when all is sent and the job is over. */
    private boolean step(Job job)
            throws IOException, EngineException, JournalException, InterruptedException {
        // Asked for before the log is read: whatever a task wrote before its end is then sent.
        boolean isOver = attempt > 0 && isOver(job);
        if (attempt > 0) sendAll(isOver);
        if (job.attempts() > attempt && (attempt == 0 || isOver)) {
            nextAttempt();
            return false;
        }
        if (job.isFinished()) {
            Optional<JobRoutes.Past> past = jobs.past(id);
            if (past.isPresent()) sse.event("end", null, Json.write(jobs.body(past.get())));
            return true;
        }
        sse.flush();
        Duration patience = sse.untilHeartbeat();
        boolean mayWrite = attempt > 0 && !isOver;
        watch.await(mayWrite && LOOK_PERIOD.compareTo(patience) < 0 ? LOOK_PERIOD : patience);
        return false;
    }

    /** Whether the followed attempt writes nothing more. */
    private boolean isOver(Job job) {
        return job.attempts() > attempt
                || switch (job.state()) {
                    case JobState.Queued _, JobState.Finished _ -> true;
                    case JobState.Starting _, JobState.Running _, JobState.Stopping _ -> false;
                };
    }

    private void nextAttempt() throws IOException, EngineException {
        attempt++;
        offset = 0;
        log = open();
        if (attempt > 1) sse.event("attempt", attempt + ":0", Integer.toString(attempt));
    }

    private TaskLog open() throws EngineException {
        return engine.log(new AttemptId(id, attempt), task);
    }

    private void sendAll(boolean isOver) throws IOException {
        while (!sse.isClosed()) {
            byte[] block = log.read(offset, BLOCK_BYTES);
            if (block.length == 0) {
                if (log.start() <= offset) return;
                // The oldest part was dropped before this peer had read it.
                offset = log.start();
                continue;
            }
            boolean isLast = isOver && block.length < BLOCK_BYTES;
            var text = WholeCharacters.of(block, isLast);
            // Half a character waits for its other half.
            if (text.bytes() == 0) return;
            offset += text.bytes();
            sse.event("log", attempt + ":" + offset, Json.write(text.text()));
            sse.flush();
        }
    }
}
