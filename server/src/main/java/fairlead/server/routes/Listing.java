package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.JobPage;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.bodies.JobBodies;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.runtime.Explanations;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

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

    /** So many finished jobs are read for the few of one cluster; a further page goes on there. */
    private static final int READ_MAX = 10_000;

    private final Controller controller;
    private final Clusters clusters;
    private final Journal journal;
    private final Explanations explanations;
    private final WhyRoute why;
    private final JobBodies bodies;

    Listing(
            Controller controller,
            Clusters clusters,
            Journal journal,
            Explanations explanations,
            WhyRoute why,
            JobBodies bodies) {
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
            int limit) {

        boolean fits(Job job) {
            return (word.isEmpty() || word.get().equals(job.state().word()))
                    && (owner.isEmpty() || owner.get().equals(job.owner()))
                    && (array.isEmpty() || array.equals(job.array().map(Job.ArrayPlace::array)))
                    && isOfCluster(job)
                    && (before.isEmpty() || AGE.compare(job, before.get()) < 0);
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
            for (Job job : newestFinished(wanted)) found.put(job.id(), job);
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
                            call.caller().owns(job)));
        }
        call.send(
                200,
                new JobPage(
                        rows,
                        more ? rows.getLast().id() : null,
                        clusters.troubles(wanted.cluster())));
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
        boolean isWord = UNFINISHED_WORDS.contains(word) || FINISHED_WORDS.contains(word);
        return new Wanted(
                !word.equals("finished") && !FINISHED_WORDS.contains(word),
                !word.equals("active") && !UNFINISHED_WORDS.contains(word),
                isWord ? state : Optional.empty(),
                call.parameter("owner"),
                call.parameter("array"),
                clusters.asked(call),
                before(call),
                (int) call.number("limit", 1, LIMIT_MAX).orElse(LIMIT_DEFAULT));
    }

    private Optional<Job> before(Call call) throws JournalException {
        Optional<String> text = call.parameter("before");
        if (text.isEmpty()) return Optional.empty();
        try {
            Optional<Job> job = journal.find(new JobId(text.get()));
            if (job.isPresent()) return job;
        } catch (IllegalArgumentException _) {
            // Not even an id: told below like one that is gone.
        }
        throw new Problem(
                ErrorCode.NOT_FOUND,
                "before: no job '%.200s'; begin again with the first page".formatted(text.get()));
    }

    /** The journal knows nothing of clusters, so those of one are picked out of what it gives. */
    private List<Job> newestFinished(Wanted wanted) throws JournalException {
        if (wanted.cluster().isEmpty())
            return journal.finished(
                    query(wanted, wanted.before().map(Job::id), wanted.limit() + 1));
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
        return new FinishedQuery(wanted.owner(), wanted.word(), wanted.array(), before, limit);
    }

    private Iterable<Job> newestUnfinished(Wanted wanted) {
        // The oldest of those kept stands at the head, ready to make room for a newer one.
        var kept = new PriorityQueue<Job>(AGE);
        for (Job job : controller.unfinished()) {
            if (!wanted.fits(job)) continue;
            kept.add(job);
            if (kept.size() > wanted.limit() + 1) kept.remove();
        }
        return kept;
    }
}
