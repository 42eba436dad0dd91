package fairlead.engines.azureml;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fairlead.engines.azureml.rest.Doc;
import fairlead.engines.azureml.rest.ServiceException;
import fairlead.job.Exit;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies the logs of one attempt while it runs, on a thread of its own, and finds out how its tasks
 * ended. It reads often while somebody looks or something comes, seldom otherwise.
 */
final class Follower {
    private static final Logger LOG = System.getLogger(Follower.class.getName());

    private static final int READ_BYTES = 1 << 20;

    /** Reads of all attempts that may be under way at once. */
    static final int READS_AT_ONCE = 64;

    /** The last bytes of a log may arrive after the end was reported; so many looks are enough. */
    private static final int LAST_READS = 4;

    /** Whoever has asked for a log within so many pauses between two reads is still there. */
    private static final int READER_READS = 20;

    /** A log that is not there yet is looked for this much more seldom, while somebody waits. */
    private static final int MISSING_READS = 4;

    private static final int SIGTERM = 143;
    private static final int SIGKILL = 137;

    /** In the words of Azure's runtime about a process that failed. */
    private static final Pattern CODE =
            Pattern.compile("(?i)exit (?:status|code):? *(\\d{1,3})\\b");

    private static final int WORDS_MAX = 400;

    private final AzureMlSettings settings;
    private final Workspace workspace;
    private final LiveAttempt attempt;
    private final Semaphore reads;
    private final Runnable changed;
    private final Runnable allMarked;
    private final byte[] mark;
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * @param changed called when others see something new of the attempt
     * @param allMarked called once when all tasks have ended, and Azure may know it soon
     */
    Follower(
            AzureMlSettings settings,
            Workspace workspace,
            LiveAttempt attempt,
            Semaphore reads,
            Runnable changed,
            Runnable allMarked) {
        this.settings = settings;
        this.workspace = workspace;
        this.attempt = attempt;
        this.reads = reads;
        this.changed = changed;
        this.allMarked = allMarked;
        this.mark = (TaskScripts.MARK + attempt.record.word() + " ").getBytes(US_ASCII);
        this.thread = Thread.ofVirtual().name("logs of " + attempt.id).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Something is new about the attempt, or somebody wants to read. */
    void wake() {
        LockSupport.unpark(thread);
    }

    void close() {
        isClosed = true;
        wake();
    }

    private boolean isOver() {
        return isClosed || attempt.isGone();
    }

    private void run() {
        Duration read = settings.pace().read();
        Duration pause = read;
        int lastReads = 0;
        boolean isToldMarked = false;
        while (!isOver()) {
            boolean isEnded = attempt.status.isEnd();
            boolean isNew = false;
            try {
                isNew = copyAll(false);
                if (isEnded && !isNew) lastReads++;
                if (settle(isEnded && lastReads >= LAST_READS)) return;
            } catch (ServiceException | IOException problem) {
                LOG.log(Level.DEBUG, "{0}: {1}", attempt.id, problem.getMessage());
            }
            if (!isToldMarked && attempt.tasks.stream().allMatch(task -> task.code.isPresent())) {
                isToldMarked = true;
                allMarked.run();
            }
            boolean isRead =
                    System.nanoTime() - attempt.readNanos
                            < read.multipliedBy(READER_READS).toNanos();
            boolean isSoon = isNew || isEnded || isRead && !isMissing();
            Duration most = isRead ? read.multipliedBy(MISSING_READS) : settings.pace().most();
            pause = isSoon ? read : longer(pause, most);
            if (!isNew) LockSupport.parkNanos(pause.toNanos());
        }
    }

    private static Duration longer(Duration pause, Duration most) {
        Duration next = pause.multipliedBy(2);
        return next.compareTo(most) < 0 ? next : most;
    }

    /** Whether Azure has no log yet of some task that has not ended. */
    private boolean isMissing() {
        return attempt.tasks.stream().anyMatch(task -> task.address == null && task.code.isEmpty());
    }

    /** Answers whether anything came. */
    private boolean copyAll(boolean isLast) throws ServiceException, IOException {
        reads.acquireUninterruptibly();
        try {
            if (isMissing()) findFiles();
            boolean isNew = false;
            for (LiveTask task : attempt.tasks) {
                if (task.code.isEmpty() && task.address != null) isNew |= copy(task, isLast);
            }
            return isNew;
        } finally {
            reads.release();
        }
    }

    private void findFiles() throws ServiceException, IOException {
        Map<String, URI> files = workspace.logFiles(attempt.record.name());
        for (LiveTask task : attempt.tasks) {
            var name = LogNames.of(task.rank, attempt.tasks.size(), files.keySet());
            if (name.isEmpty()) continue;
            String[] place = task.log.place().split(" ");
            // A file of another name is a new try of Azure's own, whose log follows the old one.
            if (!place[0].equals(name.get())) task.log.place(name.get() + " " + task.log.end());
            task.address = files.get(name.get());
        }
    }

    private boolean copy(LiveTask task, boolean isLast) throws ServiceException, IOException {
        long base = Long.parseLong(task.log.place().split(" ")[1]);
        byte[] bytes;
        try {
            bytes = workspace.read(task.address, task.log.end() - base, READ_BYTES);
        } catch (ServiceException refused) {
            // An address holds for some hours; the next look finds a new one.
            if (refused.isForbidden() || refused.isMissing()) task.address = null;
            throw refused;
        }
        int at = find(bytes);
        int codeAt = at + (at < bytes.length && bytes[at] == mark[0] ? 0 : -1) + mark.length;
        if (codeAt <= bytes.length) task.code = code(bytes, codeAt);
        int end = isLast && task.code.isEmpty() ? bytes.length : at;
        return append(task, bytes, end) || task.code.isPresent();
    }

    /**
     * Where our line begins, or what may become it; the length when it is not there. The line's own
     * first newline is held back only behind another: a reader should not wait for the end of the
     * last line. So our line may also be at the very beginning, without it.
     */
    private int find(byte[] bytes) {
        if (isMark(bytes, 0, 1)) return 0;
        for (int at = 0; at < bytes.length; at++) {
            boolean isPlain = at + 1 == bytes.length && (at == 0 || bytes[at - 1] != '\n');
            if (!isPlain && isMark(bytes, at, 0)) return at;
        }
        return bytes.length;
    }

    /** Whether the mark, from some byte of it on, is there, or as much of it as fits. */
    private boolean isMark(byte[] bytes, int at, int from) {
        int length = Math.min(mark.length - from, bytes.length - at);
        return length > 0 && Arrays.equals(bytes, at, at + length, mark, from, from + length);
    }

    private static OptionalInt code(byte[] bytes, int at) {
        int code = 0;
        for (int i = at; i < bytes.length; i++) {
            if (bytes[i] == '\n') return i == at ? OptionalInt.empty() : OptionalInt.of(code);
            if (bytes[i] < '0' || bytes[i] > '9') return OptionalInt.empty();
            code = code * 10 + bytes[i] - '0';
        }
        return OptionalInt.empty();
    }

    private boolean append(LiveTask task, byte[] bytes, int end) throws IOException {
        attempt.lock.lock();
        try {
            if (isOver() || end == 0) return false;
            task.log.append(bytes, end, settings.logBytesMax());
            return true;
        } finally {
            attempt.lock.unlock();
        }
    }

    /**
     * Writes down the ends that are known. The last one waits for Azure's own word: until then it
     * collects the job's outputs, and an attempt that has ended is soon forgotten.
     *
     * @param isLast whether nothing more will be known
     * @return whether nothing is left to do
     */
    private boolean settle(boolean isLast) throws ServiceException, IOException {
        boolean isEnded = attempt.status.isEnd();
        boolean allMarked = attempt.tasks.stream().allMatch(task -> task.code.isPresent());
        Doc run = Doc.NONE;
        boolean isUnknown = isLast && !allMarked;
        if (isUnknown) {
            copyAll(true);
            if (attempt.status == JobStatus.FAILED) run = workspace.run(attempt.record.name());
        }
        boolean differs;
        attempt.lock.lock();
        try {
            if (isOver()) return true;
            for (LiveTask task : attempt.tasks) {
                if (task.exit != null) continue;
                if (task.code.isPresent()) {
                    if (isEnded || !allMarked) attempt.settle(task, marked(task.code.getAsInt()));
                } else if (isUnknown) {
                    attempt.settle(task, unmarked(run, task.log.end() > 0));
                }
            }
            differs = attempt.publish();
        } finally {
            attempt.lock.unlock();
        }
        if (differs) changed.run();
        return attempt.allEnded();
    }

    private Exit marked(int code) {
        boolean isStopped = attempt.stop.isPresent();
        String note = isStopped && code == SIGKILL ? "killed by Azure ML after a stop" : "";
        return new Exit(OptionalInt.of(code), isStopped, note, Instant.now());
    }

    /** How a task ended of which only Azure's word about the job is known. */
    private Exit unmarked(Doc run, boolean hasBegun) {
        Instant now = Instant.now();
        boolean isStopped = attempt.stop.isPresent();
        if (isStopped && attempt.status != JobStatus.COMPLETED)
            return hasBegun || attempt.record.isRunning()
                    ? Exit.stopped(SIGKILL, "killed by Azure ML after a stop", now)
                    : Exit.stopped(SIGTERM, "stopped before it began", now);
        return switch (attempt.status) {
            case COMPLETED -> Exit.of(0, now);
            case FAILED -> failed(run.at("error", "error"), now);
            default ->
                    Exit.lost(
                            "canceled in Azure ML by another hand, or at the job's time limit"
                                    + " there",
                            now);
        };
    }

    static Exit failed(Doc error, Instant now) {
        String message = error.at("message").text().strip().replaceAll("\\s+", " ");
        String words = message.substring(0, Math.min(WORDS_MAX, message.length()));
        String note = "Azure ML: " + (words.isEmpty() ? "the job failed" : words);
        if (message.contains("PreemptionError") || message.contains("pre-empted"))
            return Exit.lost(note, now);
        Matcher said = CODE.matcher(message);
        if (said.find())
            return new Exit(OptionalInt.of(Integer.parseInt(said.group(1))), false, note, now);
        boolean isOfOwner = words.isEmpty() || error.at("code").text().equals("UserError");
        return isOfOwner ? new Exit(OptionalInt.of(1), false, note, now) : Exit.lost(note, now);
    }
}
