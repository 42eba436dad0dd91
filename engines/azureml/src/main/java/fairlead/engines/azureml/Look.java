package fairlead.engines.azureml;

import fairlead.engine.EngineException;
import fairlead.engines.azureml.rest.Doc;
import fairlead.engines.azureml.rest.ServiceException;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks at the compute and at all open jobs of a workspace, on a thread of its own: soon after
 * something has changed, then less and less often. Few jobs are asked for one by one, many by one
 * list.
 */
final class Look {
    private static final Logger LOG = System.getLogger(Look.class.getName());

    /** A list has all jobs that ever were, page by page; so many single questions are cheaper. */
    private static final int SINGLE_MAX = 4;

    /** A list is newest first; what lies deeper is asked for by its name. */
    private static final int PAGES_MAX = 200;

    /** How often we look for jobs of ours that nobody knows. */
    private static final Duration SWEEP = Duration.ofMinutes(10);

    /** A single lost answer is no news. */
    private static final int FAILURES_TOLD = 3;

    private static final Duration FIRST_MAX = Duration.ofSeconds(30);

    /** Stands for a job that Azure does not know. */
    static final String MISSING = "";

    /** Who wants to know. */
    interface Reader {
        /** The names of submitted jobs that have not ended. */
        Set<String> open();

        /** Azure's words for them, and for other jobs of ours. Answers whether anything is new. */
        boolean seen(Map<String, String> words);
    }

    private final AzureMlSettings settings;
    private final Workspace workspace;
    private final String tag;
    private final Reader reader;
    private final Thread thread;
    private final CountDownLatch first = new CountDownLatch(1);
    private volatile boolean isClosed;
    private volatile boolean isHurried;
    private volatile Capacity capacity;
    private volatile String failure = "";
    private Capacity.Size size;
    private long computeNanos;
    private long sweepNanos;
    private int failures;

    /** Made in this look. */
    private int calls;

    Look(AzureMlSettings settings, Workspace workspace, String tag, Reader reader) {
        this.settings = settings;
        this.workspace = workspace;
        this.tag = tag;
        this.reader = reader;
        this.thread = Thread.ofVirtual().name("look at " + settings.cluster()).unstarted(this::run);
    }

    void start() {
        computeNanos = System.nanoTime() - settings.pace().compute().toNanos();
        sweepNanos = System.nanoTime() - SWEEP.toNanos();
        thread.start();
    }

    /** Something was ordered. */
    void soon() {
        isHurried = true;
        LockSupport.unpark(thread);
    }

    void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }

    void requireAnswer() throws EngineException {
        String words = failure;
        if (!words.isEmpty()) throw new EngineException(words);
    }

    /** Waits for the first answer; later ones are the newest that there are. */
    Capacity capacity() throws EngineException {
        try {
            if (capacity == null) first.await(FIRST_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        requireAnswer();
        Capacity known = capacity;
        if (known == null)
            throw new EngineException(
                    "Azure ML has not answered about the compute " + settings.compute() + " yet");
        return known;
    }

    /** Zero before it is known. */
    int gpusPerMachine() {
        Capacity known = capacity;
        return known == null ? 0 : known.size().gpus();
    }

    private void run() {
        Duration pause = settings.pace().first();
        while (!isClosed) {
            boolean hurried = isHurried;
            isHurried = false;
            try {
                lookAtCompute();
                boolean isNew = lookAtJobs();
                failures = 0;
                failure = "";
                pause = isNew || hurried ? settings.pace().first() : longer(pause);
            } catch (ServiceException problem) {
                failed(problem);
                Duration quiet = workspace.rest().quiet();
                pause = quiet.isPositive() ? quiet : longer(pause);
                isHurried = false;
            } finally {
                if (capacity != null || !failure.isEmpty()) first.countDown();
            }
            rest(pause);
        }
    }

    /** Whoever hurries us waits too until the last look is paid for. */
    private void rest(Duration pause) {
        long now = System.nanoTime();
        long earliest = now + settings.pace().call().multipliedBy(calls).toNanos();
        long usual = Math.max(earliest, now + pause.toNanos());
        calls = 0;
        while (!isClosed) {
            long left = (isHurried ? earliest : usual) - System.nanoTime();
            if (left <= 0) return;
            LockSupport.parkNanos(left);
        }
    }

    private void failed(ServiceException problem) {
        if (isClosed) return;
        failures++;
        LOG.log(Level.DEBUG, "{0}: {1}", settings.cluster(), problem.getMessage());
        boolean isCertain = !problem.isPassing();
        if (isCertain || failures >= FAILURES_TOLD)
            failure = "cluster " + settings.cluster() + ": " + problem.getMessage();
    }

    private Duration longer(Duration pause) {
        Duration next = pause.multipliedBy(3).dividedBy(2);
        return next.compareTo(settings.pace().most()) < 0 ? next : settings.pace().most();
    }

    private void lookAtCompute() throws ServiceException {
        long now = System.nanoTime();
        if (capacity != null && now - computeNanos < settings.pace().compute().toNanos()) return;
        calls++;
        Doc compute = workspace.compute(settings.compute());
        String word = Capacity.size(compute);
        if (size == null || !size.word().equals(word)) size = size(compute, word);
        capacity = Capacity.of(compute, size);
        computeNanos = now;
    }

    private Capacity.Size size(Doc compute, String word) throws ServiceException {
        if (settings.gpusPerNode().isPresent())
            return new Capacity.Size(word, 0, 0, 0).withGpus(settings.gpusPerNode().getAsInt());
        String location = compute.at("properties", "computeLocation").text();
        return Capacity.Size.of(word, workspace.machineSizes(location));
    }

    private boolean lookAtJobs() throws ServiceException {
        Set<String> open = reader.open();
        var words = new HashMap<String, String>();
        boolean isSweep = System.nanoTime() - sweepNanos >= SWEEP.toNanos();
        if (isSweep || open.size() > SINGLE_MAX) {
            calls += list(open, words);
            sweepNanos = System.nanoTime();
        }
        for (String name : open) {
            if (!words.containsKey(name)) words.put(name, word(name));
        }
        return reader.seen(words);
    }

    /** Reads pages until nearly all are found; asks for the rest cost no more. Answers how many. */
    private int list(Set<String> open, Map<String, String> words) throws ServiceException {
        var missing = new HashSet<>(open);
        var next = Optional.of(workspace.jobs(tag));
        int pages = 0;
        while (next.isPresent() && pages < PAGES_MAX) {
            Doc page = workspace.page(next.get());
            pages++;
            for (Doc job : page.at("value").list()) {
                String name = job.at("name").text();
                words.putIfAbsent(name, job.at("properties", "status").text());
                missing.remove(name);
            }
            if (missing.size() <= SINGLE_MAX) break;
            next = page.at("nextLink").some().map(URI::create);
        }
        return pages;
    }

    private String word(String name) throws ServiceException {
        calls++;
        try {
            return workspace.job(name).at("properties", "status").text();
        } catch (ServiceException refused) {
            if (refused.isMissing() && refused.code().equals("JobNotFound")) return MISSING;
            throw refused;
        }
    }
}
