package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.JobPage;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.bodies.JobBodies;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.runtime.Explanations;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BinaryOperator;

/** Pages of jobs, unfinished and finished ones together, newest first. */
final class Listing {
    private static final int LIMIT_DEFAULT = 100;
    private static final int LIMIT_MAX = 10_000;

    /** A job with its environment takes kilobytes, so longer pages are made one after another. */
    private static final int LARGE_PAGE = 1_000;

    private static final Set<String> UNFINISHED_WORDS =
            Set.of("queued", "starting", "running", "stopping");
    private static final Set<String> FINISHED_WORDS = Set.of("succeeded", "failed", "cancelled");

    /** Oldest first; turned round where pages are made. */
    private static final Comparator<Job> AGE =
            Comparator.comparing((Job job) -> job.submitted()).thenComparing(Job::id);

    private static final Comparator<Job> NEXT_OF_ARRAY =
            Comparator.comparing((Job job) -> !(job.state() instanceof JobState.Queued))
                    .thenComparing(job -> job.array().map(Job.ArrayPlace::index).orElse(0));

    /** One shows that there is a next page, and one may be of the array where this page begins. */
    private static final int SPARE = 2;

    /** So many finished jobs are read for the few of one cluster; a further page goes on there. */
    private static final int READ_MAX = 10_000;

    private final JobFinder finder;
    private final Controller controller;
    private final Clusters clusters;
    private final Journal journal;
    private final Explanations explanations;
    private final WhyRoute why;
    private final JobBodies bodies;

    Listing(
            JobFinder finder,
            Controller controller,
            Clusters clusters,
            Journal journal,
            Explanations explanations,
            WhyRoute why,
            JobBodies bodies) {
        this.finder = finder;
        this.controller = controller;
        this.clusters = clusters;
        this.journal = journal;
        this.explanations = explanations;
        this.why = why;
        this.bodies = bodies;
    }

    /** What a caller wants to see; a word is a state's, or empty for all. */
    private record Wanted(
            boolean unfinished,
            boolean finished,
            Optional<String> word,
            Optional<String> owner,
            Optional<String> array,
            Optional<String> cluster,
            Optional<Job> before,
            boolean arraysOnce,
            int limit) {

        boolean fits(Job job) {
            return isChosen(job)
                    && (before.isEmpty() || AGE.compare(job, before.get()) < 0)
                    && !isOfArrayBefore(job);
        }

        /** Where one job stands for its array, all of it was on the page where that one was. */
        boolean isOfArrayBefore(Job job) {
            return arraysOnce && before.isPresent() && isSameArray(job, before.get());
        }

        boolean isChosen(Job job) {
            return (word.isEmpty() || word.get().equals(job.state().word()))
                    && (owner.isEmpty() || owner.get().equals(job.owner()))
                    && (array.isEmpty() || array.equals(job.array().map(Job.ArrayPlace::array)))
                    && isOfCluster(job);
        }

        boolean isOfCluster(Job job) {
            return cluster.isEmpty() || cluster.get().equals(job.spec().cluster());
        }
    }

    void list(Call call) throws JournalException, InterruptedException {
        Wanted wanted = wanted(call);
        if (wanted.limit() > LARGE_PAGE) call.takeTurn();
        // One more than wanted tells whether there is a next page. Unfinished ones first: a job
        // that
        // ends in between is then seen twice, never missed.
        Map<JobId, Job> found = new HashMap<>();
        if (wanted.unfinished()) {
            for (Job job : newestUnfinished(wanted)) found.put(job.id(), job);
        }
        if (wanted.finished()) {
            Set<String> shown = arrays(found.values());
            for (Job job : newestFinished(wanted)) {
                boolean isShown = wanted.arraysOnce() && shown.contains(arrayOf(job));
                if (!isShown && !wanted.isOfArrayBefore(job)) found.put(job.id(), job);
            }
        }
        List<Job> page =
                found.values().stream().sorted(AGE.reversed()).limit(wanted.limit() + 1L).toList();
        boolean more = page.size() > wanted.limit();
        if (more) page = page.subList(0, wanted.limit());
        var rows = new ArrayList<JobBody>(page.size());
        for (Job job : page) {
            rows.add(
                    bodies.job(
                            job,
                            explanations.standing(job),
                            why.trouble(job),
                            call.caller().manages(job)
                                    ? JobBodies.Command.BEGINNING
                                    : JobBodies.Command.NONE));
        }
        call.send(
                200,
                new JobPage(
                        rows,
                        more ? rows.getLast().id() : null,
                        clusters.troubles(wanted.cluster()),
                        wanted.arraysOnce() ? progress(page, call) : null));
    }

    private List<JobPage.ArrayProgress> progress(List<Job> page, Call call)
            throws JournalException {
        var arrays = new ArrayList<JobPage.ArrayProgress>();
        for (Job job : page) {
            if (job.array().isEmpty()) continue;
            String array = arrayOf(job);
            String command = call.caller().manages(job) ? bodies.command(job.spec()) : null;
            arrays.add(new JobPage.ArrayProgress(array, command, journal.arrayCounts(array)));
        }
        return arrays;
    }

    private static boolean isSameArray(Job job, Job other) {
        return job.array().isPresent() && arrayOf(job).equals(arrayOf(other));
    }

    /** Empty for a job by itself. */
    private static String arrayOf(Job job) {
        return job.array().map(Job.ArrayPlace::array).orElse("");
    }

    private static Set<String> arrays(Collection<Job> jobs) {
        var arrays = new HashSet<String>();
        for (Job job : jobs) if (job.array().isPresent()) arrays.add(arrayOf(job));
        return arrays;
    }

    private Wanted wanted(Call call) throws JournalException {
        Optional<String> state = call.parameter("state");
        String word = state.orElse("");
        boolean known =
                UNFINISHED_WORDS.contains(word)
                        || FINISHED_WORDS.contains(word)
                        || Set.of("", "active", "finished").contains(word);
        if (!known) {
            throw Problem.invalid(
                    "state",
                    "state: must be active, finished, queued, starting, running, stopping,"
                            + " succeeded, failed or cancelled, but is '%.40s'".formatted(word));
        }
        Optional<String> arrays = call.parameter("arrays");
        if (arrays.isPresent() && !arrays.get().equals("once"))
            throw Problem.invalid(
                    "arrays", "arrays: must be once, but is '%.40s'".formatted(arrays.get()));
        boolean isWord = UNFINISHED_WORDS.contains(word) || FINISHED_WORDS.contains(word);
        return new Wanted(
                !word.equals("finished") && !FINISHED_WORDS.contains(word),
                !word.equals("active") && !UNFINISHED_WORDS.contains(word),
                isWord ? state : Optional.empty(),
                call.parameter("owner"),
                array(call),
                clusters.asked(call),
                before(call),
                arrays.isPresent(),
                (int) call.number("limit", 1, LIMIT_MAX).orElse(LIMIT_DEFAULT));
    }

    /** One that there is not is wanted all the same: the answer is then empty. */
    private Optional<String> array(Call call) throws JournalException {
        Optional<String> word = call.parameter("array");
        if (word.isEmpty()) return word;
        Optional<String> found = finder.arrayId(word.get(), call);
        return found.isPresent() ? found : word;
    }

    private Optional<Job> before(Call call) throws JournalException {
        Optional<String> text = call.parameter("before");
        if (text.isEmpty()) return Optional.empty();
        try {
            Optional<Job> job = journal.find(new JobId(text.get()));
            if (job.isPresent()) return job;
        } catch (IllegalArgumentException _) {
            // Not even an id: refused below like one that is gone.
        }
        throw new Problem(
                ErrorCode.NOT_FOUND,
                "before: no job '%.200s'; begin again with the first page".formatted(text.get()));
    }

    /** The journal knows nothing of clusters, so those of one are picked out of what it gives. */
    private List<Job> newestFinished(Wanted wanted) throws JournalException {
        if (wanted.cluster().isEmpty())
            return journal.finished(
                    query(wanted, wanted.before().map(Job::id), wanted.limit() + SPARE));
        var found = new ArrayList<Job>();
        Optional<JobId> before = wanted.before().map(Job::id);
        for (int read = 0; read < READ_MAX && found.size() <= wanted.limit(); ) {
            List<Job> some = journal.finished(query(wanted, before, LARGE_PAGE));
            some.stream().filter(wanted::isOfCluster).forEach(found::add);
            read += some.size();
            if (some.size() < LARGE_PAGE) break;
            before = Optional.of(some.getLast().id());
        }
        return found;
    }

    private static FinishedQuery query(Wanted wanted, Optional<JobId> before, int limit) {
        return new FinishedQuery(
                wanted.owner(), wanted.word(), wanted.array(), before, wanted.arraysOnce(), limit);
    }

    private Iterable<Job> newestUnfinished(Wanted wanted) {
        // The oldest of those kept stands at the head, ready to make room for a newer one.
        var kept = new PriorityQueue<Job>(AGE);
        var jobs = controller.unfinished();
        for (Job job : wanted.arraysOnce() ? oneOfEach(jobs, wanted) : jobs) {
            if (!wanted.fits(job)) continue;
            kept.add(job);
            if (kept.size() > wanted.limit() + 1) kept.remove();
        }
        return kept;
    }

    /** Of an array the job that waits with the lowest index, or the lowest where none waits. */
    private static Collection<Job> oneOfEach(Collection<Job> jobs, Wanted wanted) {
        Map<String, Job> first = new HashMap<>();
        for (Job job : jobs) {
            if (!wanted.isChosen(job)) continue;
            String key = job.array().isPresent() ? arrayOf(job) : job.id().text();
            first.merge(key, job, BinaryOperator.minBy(NEXT_OF_ARRAY));
        }
        return first.values();
    }
}
