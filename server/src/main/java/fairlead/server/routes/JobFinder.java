package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Limits;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.auth.Caller;
import fairlead.server.bodies.JobBodies;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds jobs by id, by any suffix that only one id ends with, or by name; by {@code @last}, the
 * caller's newest; and by {@code ARRAY[INDEX]}. A whole id goes before a name, so that nobody's
 * choice of a name changes what an id means, and a name goes before a suffix, unless that has all
 * of an id's last eight digits: then it could be either. The caller's own jobs go before others',
 * and of those with a name the unfinished before the ended. An array has an id of its own, and is
 * also meant by a name that only jobs of arrays bear, or by {@code @last}. Any thread.
 */
final class JobFinder {
    private static final int MATCHES_MAX = 20;
    private static final Pattern ID =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*_\\d+_[0-9a-f]{8}");

    /** What is copied from an id. */
    private static final Pattern ID_END = Pattern.compile("(.*_)?[0-9a-f]{8}");

    private static final Pattern ARRAY = Pattern.compile("[0-9a-f]{8}");

    private static final String LAST = "@last";
    private static final Pattern IN_ARRAY = Pattern.compile("(.+)\\[(\\d{1,9})]");

    private final Controller controller;
    private final Journal journal;
    private final JobBodies bodies;

    JobFinder(Controller controller, Journal journal, JobBodies bodies) {
        this.controller = controller;
        this.journal = journal;
        this.bodies = bodies;
    }

    /** The job that the address of a call names. */
    Job find(Call call) throws JournalException {
        return find(call.id(), call);
    }

    Job find(String text, Call call) throws JournalException {
        Caller caller = call.caller();
        if (text.equals(LAST) && caller != null) return last(caller.name());
        var inArray = IN_ARRAY.matcher(text);
        if (inArray.matches())
            return find(inArray.group(1), Integer.parseInt(inArray.group(2)), call);
        return find(text, name(caller), call);
    }

    private static String name(Caller caller) {
        return caller == null ? "" : caller.name();
    }

    /** The newest job of an owner. */
    private Job last(String owner) throws JournalException {
        var newest =
                new FinishedQuery(
                        Optional.of(owner),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1);
        Stream<Job> unfinished =
                controller.unfinished().stream().filter(job -> job.owner().equals(owner));
        return Stream.concat(unfinished, journal.finished(newest).stream())
                .max(Comparator.comparing((Job job) -> job.submitted()).thenComparing(Job::id))
                .orElseThrow(
                        () ->
                                new Problem(
                                        ErrorCode.NOT_FOUND,
                                        "%s has no job that @last could be".formatted(owner)));
    }

    private Job find(String array, int index, Call call) throws JournalException {
        List<Job> jobs = array(array, call);
        for (Job job : jobs) {
            if (job.array().orElseThrow().index() == index) return job;
        }
        throw new Problem(
                ErrorCode.NOT_FOUND,
                "array %s has no job %d; its indexes are %d to %d"
                        .formatted(
                                array,
                                index,
                                jobs.getFirst().array().orElseThrow().index(),
                                jobs.getLast().array().orElseThrow().index()));
    }

    private Job find(String text, String caller, Call call) throws JournalException {
        if (ID.matcher(text).matches()) {
            Optional<Job> exact = current(new JobId(text));
            if (exact.isPresent()) return exact.get();
        }
        boolean isId = ID_END.matcher(text).matches();
        if (!isId) {
            // Of a name that many ended jobs bear, the journal lists the newest alone.
            List<Job> open = unfinished(text, caller);
            if (open.size() == 1) return open.getFirst();
        }
        var matches = new LinkedHashSet<>(journal.named(text, MATCHES_MAX + 1));
        for (String key : bodies.keys(text, caller)) journal.holderOf(key).ifPresent(matches::add);
        boolean isName = !matches.isEmpty() && !isId;
        if (!isName) matches.addAll(journal.endingWith(text, MATCHES_MAX + 1));
        var jobs = new ArrayList<Job>();
        for (JobId id : matches) current(id).ifPresent(jobs::add);
        if (jobs.size() != 1) {
            Optional<String> array = arrayId(text, call);
            if (array.isPresent()) throw wholeArray(text, array(array.get()));
        }
        if (jobs.isEmpty())
            throw new Problem(ErrorCode.NOT_FOUND, "no job '%.200s'".formatted(text));
        List<Job> meant = preferred(jobs, job -> job.owner().equals(caller));
        if (isName) meant = preferred(meant, JobFinder::isUnfinished);
        boolean isCut = matches.size() > MATCHES_MAX;
        if (meant.size() > 1 || isCut) throw ambiguous(text, isCut ? jobs : meant);
        return meant.getFirst();
    }

    /** Those of whom it is true, or all where it is true of none. */
    private static List<Job> preferred(List<Job> jobs, Predicate<Job> first) {
        List<Job> some = jobs.stream().filter(first).toList();
        return some.isEmpty() ? jobs : some;
    }

    private static boolean isUnfinished(Job job) {
        return !(job.state() instanceof JobState.Finished);
    }

    /** The same spec, with the ids of the jobs and arrays that it waits for. */
    JobSpec findAwaited(JobSpec spec, Call call) throws JournalException {
        if (spec.after().isEmpty()) return spec;
        var found = new ArrayList<JobSpec.After>();
        for (JobSpec.After after : spec.after()) {
            String text = after.job();
            Optional<String> array = arrayId(text, call);
            String id = array.isPresent() ? array.get() : find(text, call).id().text();
            found.add(new JobSpec.After(id, after.until()));
        }
        return spec.with(edit -> edit.after = found);
    }

    /** Whoever sends a job again does not mean to wait for what is over. */
    JobSpec stillAwaiting(JobSpec spec) {
        return spec.after().isEmpty()
                ? spec
                : spec.with(
                        edit ->
                                edit.after =
                                        spec.after().stream()
                                                .filter(it -> !controller.awaited(it).isEmpty())
                                                .toList());
    }

    /** The job as it stands now; empty when it has been deleted. */
    Optional<Job> current(JobId id) throws JournalException {
        Optional<Job> unfinished = controller.unfinished(id);
        return unfinished.isPresent() ? unfinished : journal.find(id);
    }

    /** All jobs of the array that the address of a call names, by their index. */
    List<Job> array(Call call) throws JournalException {
        return array(call.id(), call);
    }

    List<Job> array(String text, Call call) throws JournalException {
        Optional<String> array = arrayId(text, call);
        if (array.isEmpty())
            throw new Problem(ErrorCode.NOT_FOUND, "no array '%.200s'".formatted(text));
        return array(array.get());
    }

    /** The array that a word means; empty where it means none. */
    Optional<String> arrayId(String text, Call call) throws JournalException {
        if (ARRAY.matcher(text).matches() && !array(text).isEmpty()) return Optional.of(text);
        if (ID_END.matcher(text).matches()) return Optional.empty();
        String caller = name(call.caller());
        if (text.equals(LAST) && !caller.isEmpty())
            return last(caller).array().map(it -> it.array());
        List<Job> open = unfinished(text, caller);
        if (!open.isEmpty()) return arrayOf(open, open);
        var ended = new ArrayList<Job>();
        for (JobId id : journal.named(text, MATCHES_MAX + 1)) current(id).ifPresent(ended::add);
        List<Job> meant = preferred(ended, job -> job.owner().equals(caller));
        // Those with this name that have ended may be very many: the newest are meant.
        return arrayOf(meant, meant.subList(0, Math.min(1, meant.size())));
    }

    /** The one array of some jobs, where none of all is outside of arrays. */
    private static Optional<String> arrayOf(List<Job> all, List<Job> some) {
        if (all.stream().anyMatch(job -> job.array().isEmpty())) return Optional.empty();
        List<String> arrays =
                some.stream().map(job -> job.array().orElseThrow().array()).distinct().toList();
        return arrays.size() == 1 ? Optional.of(arrays.getFirst()) : Optional.empty();
    }

    private List<Job> unfinished(String name, String owner) {
        return controller.unfinished().stream()
                .filter(job -> job.owner().equals(owner))
                .filter(job -> job.id().experiment().equals(name))
                .toList();
    }

    /** All jobs of an array that are kept, by their index; empty where there is no such array. */
    private List<Job> array(String array) throws JournalException {
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

    /** One of them is named as an example, rather one that has failed. */
    private static Problem wholeArray(String text, List<Job> jobs) {
        Job example =
                jobs.stream()
                        .filter(job -> job.state().word().equals("failed"))
                        .findFirst()
                        .orElse(jobs.getFirst());
        return Problem.ambiguous(
                "'%.200s' is an array of %d jobs; name one of them, such as '%.200s[%d]'"
                        .formatted(text, jobs.size(), text, example.array().orElseThrow().index()),
                List.of());
    }

    /** Unfinished ones first, with how many are in which state in the order of the list. */
    private static Problem ambiguous(String text, List<Job> jobs) {
        boolean more = jobs.size() > MATCHES_MAX;
        String count = more ? "more than " + MATCHES_MAX : Integer.toString(jobs.size());
        var byState = new LinkedHashMap<String, List<String>>();
        jobs.stream()
                .limit(MATCHES_MAX)
                .sorted(Comparator.comparing(job -> !isUnfinished(job)))
                .forEach(
                        job ->
                                byState.computeIfAbsent(word(job), _ -> new ArrayList<>())
                                        .add(job.id().text()));
        var states = new ArrayList<String>();
        byState.forEach((state, ids) -> states.add(ids.size() + " " + state));
        return Problem.ambiguous(
                "'%.200s' could be any of %s jobs (%s)"
                        .formatted(text, count, String.join(", ", states)),
                byState.values().stream().flatMap(List::stream).toList());
    }

    /** In messages a job that somebody has cancelled is aborted, as in every command. */
    static String word(Job job) {
        return job.state().word().replace("cancelled", "aborted");
    }
}
