package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Limits;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.http.Problem;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Finds jobs by id, by any suffix that only one id ends with, or by a name that only one job has. A
 * whole id goes before a name, so that nobody's choice of a name changes what an id means; a text
 * that ends one job's id and is another's name could be either, and is refused. Any thread.
 */
final class JobFinder {
    private static final int MATCHES_MAX = 20;
    private static final Pattern ID =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*_\\d+_[0-9a-f]{8}");

    private final Controller controller;
    private final Journal journal;

    JobFinder(Controller controller, Journal journal) {
        this.controller = controller;
        this.journal = journal;
    }

    Job find(String text) throws JournalException {
        if (ID.matcher(text).matches()) {
            Optional<Job> exact = current(new JobId(text));
            if (exact.isPresent()) return exact.get();
        }
        // The names first: of many matches the first are listed, and fewer jobs bear a name.
        var matches = new LinkedHashSet<>(journal.named(text, MATCHES_MAX + 1));
        matches.addAll(journal.endingWith(text, MATCHES_MAX + 1));
        if (matches.size() > 1) throw ambiguous(text, List.copyOf(matches));
        Optional<Job> only = matches.isEmpty() ? Optional.empty() : current(matches.getFirst());
        return only.orElseThrow(
                () -> new Problem(ErrorCode.NOT_FOUND, "no job '%.200s'".formatted(text)));
    }

    /** The job as it stands now; empty when it has been deleted. */
    Optional<Job> current(JobId id) throws JournalException {
        Optional<Job> unfinished = controller.unfinished(id);
        return unfinished.isPresent() ? unfinished : journal.find(id);
    }

    /** All jobs of an array that are kept, by their index; empty where there is no such array. */
    List<Job> array(String array) throws JournalException {
        var jobs = new TreeMap<Integer, Job>();
        for (Job job : controller.unfinished()) put(jobs, job, array);
        // Later, as a job that ends meanwhile is then found here.
        var ended =
                new FinishedQuery(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(array),
                        Optional.empty(),
                        Limits.JOBS_PER_REQUEST_MAX);
        for (Job job : journal.finished(ended)) put(jobs, job, array);
        return List.copyOf(jobs.values());
    }

    private static void put(Map<Integer, Job> jobs, Job job, String array) {
        job.array()
                .filter(place -> place.array().equals(array))
                .ifPresent(place -> jobs.put(place.index(), job));
    }

    static Problem noArray(String array) {
        return new Problem(ErrorCode.NOT_FOUND, "no array '%.200s'".formatted(array));
    }

    private static Problem ambiguous(String text, List<JobId> matches) {
        boolean more = matches.size() > MATCHES_MAX;
        String count = more ? "more than " + MATCHES_MAX : Integer.toString(matches.size());
        return Problem.ambiguous(
                "'%.200s' could be any of %s jobs".formatted(text, count),
                matches.stream().limit(MATCHES_MAX).map(JobId::text).toList());
    }
}
