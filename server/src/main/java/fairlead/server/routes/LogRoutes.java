package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.LogHits;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.TaskLog;
import fairlead.job.AttemptId;
import fairlead.job.Job;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.http.Sse;
import fairlead.server.http.Streams;
import fairlead.server.runtime.Facts;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What tasks have written: so far, or as it comes. */
final class LogRoutes {
    private static final int BLOCK_BYTES = 64 * 1024;
    private static final int TAIL_MAX = 1_000_000;

    /** A window of a log: as much as a page can show. */
    private static final int LENGTH_MAX = 4 << 20;

    private static final Pattern EVENT_ID = Pattern.compile("(\\d{1,9}):(\\d{1,18})");

    private final JobFinder finder;
    private final JobRoutes jobs;
    private final Map<String, Engine> engines;
    private final Facts facts;
    private final Streams streams;

    LogRoutes(
            JobFinder finder,
            JobRoutes jobs,
            Map<String, Engine> engines,
            Facts facts,
            Streams streams) {
        this.finder = finder;
        this.jobs = jobs;
        this.engines = engines;
        this.facts = facts;
        this.streams = streams;
    }

    /**
     * A place in a job's log.
     *
     * @param attempt 0 while there is none
     * @param tail instead of the offset: begin this many lines before the end
     */
    record Place(int attempt, long offset, OptionalLong tail) {}

    void logs(Call call) throws IOException, EngineException, JournalException {
        Job job = finder.find(call);
        call.onlyOwner(job, "see the logs of");
        TaskId task = task(call.parameter("task"), job);
        Place place = place(call, job);
        if (call.flag("follow")) follow(call, job, task, place);
        else send(call, job, task, place);
    }

    private void follow(Call call, Job job, TaskId task, Place place) throws IOException {
        try (var watch = facts.watch(job.id());
                var sse = new Sse(call, streams)) {
            new LogFollow(finder, jobs, engine(job), watch, sse, job.id(), task).run(place);
        }
    }

    private void send(Call call, Job job, TaskId task, Place place)
            throws IOException, EngineException {
        try (var open = streams.open(call)) {
            if (place.attempt() == 0) {
                call.header("X-Log-Offset", "0");
                call.sendText("");
                return;
            }
            TaskLog log = engine(job).log(new AttemptId(job.id(), place.attempt()), task);
            long whole = log.end();
            long offset = begin(log, whole, place);
            long length = call.number("length", 1, LENGTH_MAX).orElse(Long.MAX_VALUE);
            long end = length < whole - offset ? offset + length : whole;
            call.header("X-Log-Attempt", Integer.toString(place.attempt()));
            call.header("X-Log-Begin", Long.toString(offset));
            call.header("X-Log-Offset", Long.toString(Math.max(offset, end)));
            call.header("X-Log-Start", Long.toString(log.start()));
            call.header("X-Log-End", Long.toString(whole));
            try (OutputStream out = call.stream("text/plain; charset=utf-8")) {
                while (offset < end) {
                    byte[] block = log.read(offset, (int) Math.min(BLOCK_BYTES, end - offset));
                    if (block.length == 0) {
                        // The oldest part has been dropped while this was being sent.
                        if (log.start() <= offset) break;
                        offset = log.start();
                        continue;
                    }
                    open.writing(true);
                    out.write(block);
                    open.writing(false);
                    offset += block.length;
                }
            }
        }
    }

    /** Where a text stands, so that nobody has to load a long log to find it. */
    void search(Call call) throws IOException, EngineException, JournalException {
        Job job = finder.find(call);
        call.onlyOwner(job, "see the logs of");
        TaskId task = task(call.parameter("task"), job);
        String text = call.parameter("text").orElse("");
        if (text.isEmpty() || text.length() > LogSearch.TEXT_CHARS_MAX)
            throw Problem.invalid(
                    "text", "text: must have 1 to " + LogSearch.TEXT_CHARS_MAX + " characters");
        boolean backwards = call.flag("backwards");
        int most = (int) call.number("limit", 1, LogSearch.LINES_MAX).orElse(LogSearch.LINES_MAX);
        Place place = place(call, job);
        if (place.attempt() == 0) {
            call.send(200, new LogHits(0, List.of(), null));
            return;
        }
        try (var open = streams.open(call)) {
            open.writing(false);
            TaskLog log = engine(job).log(new AttemptId(job.id(), place.attempt()), task);
            long from = call.number("offset", 0, Long.MAX_VALUE).orElse(backwards ? log.end() : 0);
            LogSearch found = LogSearch.of(log, text, from, backwards, most);
            boolean isOver = found.next() == (backwards ? log.start() : log.end());
            call.send(
                    200, new LogHits(place.attempt(), found.lines(), isOver ? null : found.next()));
        }
    }

    static long begin(TaskLog log, long end, Place place) throws IOException {
        long offset = Math.max(place.offset(), log.start());
        return place.tail().isEmpty()
                ? offset
                : Math.max(offset, LogTail.begin(log, end, place.tail().getAsLong()));
    }

    private Engine engine(Job job) {
        return engine(engines, job);
    }

    static Engine engine(Map<String, Engine> engines, Job job) {
        Engine engine = engines.get(job.spec().cluster());
        if (engine == null)
            throw new Problem(
                    ErrorCode.NOT_FOUND,
                    "the cluster " + job.spec().cluster() + " is no longer configured");
        return engine;
    }

    /** The task of this name; without one the first. */
    static TaskId task(Optional<String> text, Job job) {
        if (text.isEmpty()) return new TaskId(job.spec().roles().getFirst().name(), 0);
        TaskId task;
        try {
            task = TaskId.parse(text.get());
        } catch (IllegalArgumentException bad) {
            throw Problem.invalid("task", "task: %.200s".formatted(bad.getMessage()));
        }
        for (Role role : job.spec().roles()) {
            if (role.name().equals(task.role()) && task.index() < role.count()) return task;
        }
        throw new Problem(ErrorCode.NOT_FOUND, job.id() + " has no task " + task);
    }

    private static Place place(Call call, Job job) {
        if (call.flag("follow") && call.lastEventId().isPresent())
            return resumed(call.lastEventId().get(), job);
        var attempt = call.number("attempt", 1, Integer.MAX_VALUE);
        if (attempt.isPresent() && attempt.getAsLong() > job.attempts()) throw noAttempt(job);
        return new Place(
                (int) attempt.orElse(job.attempts()),
                call.number("offset", 0, Long.MAX_VALUE).orElse(0),
                call.number("tail", 0, TAIL_MAX));
    }

    private static Place resumed(String eventId, Job job) {
        Matcher matcher = EVENT_ID.matcher(eventId);
        if (!matcher.matches())
            throw Problem.invalid(
                    "Last-Event-ID",
                    "Last-Event-ID: must be ATTEMPT:OFFSET, but is '%.40s'".formatted(eventId));
        int attempt = Integer.parseInt(matcher.group(1));
        if (attempt > job.attempts()) throw noAttempt(job);
        return new Place(attempt, Long.parseLong(matcher.group(2)), OptionalLong.empty());
    }

    private static Problem noAttempt(Job job) {
        return Problem.invalid(
                "attempt", "attempt: " + job.id() + " has had " + job.attempts() + " so far");
    }
}
