package fairlead.server.routes;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.JobsAnswer;
import fairlead.api.JobsRequest;
import fairlead.api.PriorityRequest;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Limits;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.bodies.JobBodies;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.runtime.Questions;
import fairlead.server.runtime.Retention;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What an owner may do to a job: abort, change its priority, delete. */
final class ChangeRoutes {
    /** Each may be the id of an array, or a name, for which the journal takes long. */
    private static final int WORDS_MAX = 1_000;

    private final JobFinder finder;
    private final Journal journal;
    private final Questions questions;
    private final Retention retention;
    private final JobBodies bodies;

    ChangeRoutes(
            JobFinder finder,
            Journal journal,
            Questions questions,
            Retention retention,
            JobBodies bodies) {
        this.finder = finder;
        this.journal = journal;
        this.questions = questions;
        this.retention = retention;
        this.bodies = bodies;
    }

    void abort(Call call) throws InterruptedException, Refused, JournalException {
        Job job = finder.find(call);
        call.onlyOwner(job, "abort");
        var answer = new CompletableFuture<Job>();
        Job after = questions.ask(new Message.Cancel(job.id(), call.caller().name(), answer));
        call.send(200, bodies.job(after));
    }

    /** All jobs of an array in one message, so that they take one commit and not one each. */
    void abortArray(Call call) throws InterruptedException, Refused, JournalException {
        List<Job> jobs = finder.array(call);
        String array = jobs.getFirst().array().orElseThrow().array();
        call.onlyOwner(jobs.getFirst(), "abort");
        List<Job> after = cancel(jobs, call);
        if (after.isEmpty())
            throw new Problem(
                    ErrorCode.CONFLICT, "all jobs of array " + array + " have already ended");
        call.send(200, answer(array, after, List.of()));
    }

    /** The same for jobs and arrays that were named one by one. */
    void abortAll(Call call) throws IOException, InterruptedException, Refused, JournalException {
        var meant = new LinkedHashMap<JobId, Job>();
        var refused = new ArrayList<ErrorBody>();
        for (String word : words(call.body(JobsRequest.class))) {
            try {
                for (Job job : meant(word, call)) {
                    call.onlyOwner(job, "abort");
                    meant.put(job.id(), job);
                }
            } catch (Problem problem) {
                refused.add(problem.body());
            }
        }
        List<Job> after = cancel(meant.values(), call);
        for (Job job : after) meant.remove(job.id());
        for (JobId id : meant.keySet())
            refused.add(new Problem(ErrorCode.CONFLICT, id + " has already ended").body());
        call.send(200, answer(null, after, refused));
    }

    private static List<String> words(JobsRequest request) {
        List<String> words = request.jobs();
        if (words == null || words.isEmpty() || words.size() > WORDS_MAX)
            throw Problem.invalid("jobs", "jobs: must name 1 to " + WORDS_MAX + " jobs");
        return words;
    }

    /** An array's id looks like the end of a job's, and goes before it. */
    private List<Job> meant(String word, Call call) throws JournalException {
        if (finder.arrayId(word, call).isEmpty()) return List.of(finder.find(word, call));
        List<Job> array = finder.array(word, call);
        List<Job> unfinished = array.stream().filter(job -> !job.isFinished()).toList();
        return unfinished.isEmpty() ? array : unfinished;
    }

    /** Those that had not ended, as they then stand. */
    private List<Job> cancel(Collection<Job> jobs, Call call) throws InterruptedException, Refused {
        var ids = jobs.stream().map(Job::id).toList();
        var answer = new CompletableFuture<List<Job>>();
        return questions.ask(new Message.CancelAll(ids, call.caller().name(), answer));
    }

    private static JobsAnswer answer(String array, List<Job> after, List<ErrorBody> refused) {
        var changed =
                after.stream()
                        .map(job -> new JobsAnswer.Changed(job.id().text(), job.state().word()))
                        .toList();
        return new JobsAnswer(array, changed, refused);
    }

    void priority(Call call) throws IOException, InterruptedException, Refused, JournalException {
        Job job = finder.find(call);
        call.onlyOwner(job, "change the priority of");
        int priority = priority(call.body(PriorityRequest.class), job);
        var answer = new CompletableFuture<Job>();
        var change = new Message.ChangePriority(job.id(), priority, call.caller().name(), answer);
        call.send(200, bodies.job(questions.ask(change)));
    }

    private static int priority(PriorityRequest request, Job job) {
        if ((request.priority() == null) == (request.change() == null))
            throw Problem.invalid("priority", "priority: say either priority or change");
        long wanted =
                request.priority() != null
                        ? request.priority()
                        : (long) job.priority() + request.change();
        if (Math.abs(wanted) > Limits.PRIORITY_MAX)
            throw Problem.invalid(
                    "priority",
                    "priority: must be -%d to %d, but would be %d"
                            .formatted(Limits.PRIORITY_MAX, Limits.PRIORITY_MAX, wanted));
        return (int) wanted;
    }

    void delete(Call call) throws Exception {
        Job job = finder.find(call);
        call.onlyOwner(job, "delete");
        // Its end is shown as soon as it is durable, which is a moment before it is published.
        retention.delete(journal.find(job.id()).orElse(job));
        call.sendNothing(204);
    }

    /** All jobs of an array that have ended, in one commit. */
    void deleteArray(Call call) throws Exception {
        List<Job> jobs = finder.array(call);
        String array = jobs.getFirst().array().orElseThrow().array();
        call.onlyOwner(jobs.getFirst(), "delete");
        List<Job> ended = jobs.stream().filter(Job::isFinished).toList();
        if (ended.isEmpty())
            throw new Problem(
                    ErrorCode.CONFLICT,
                    "no job of array " + array + " has ended yet; abort it first");
        retention.delete(ended);
        call.send(
                200,
                new JobsAnswer(
                        array,
                        ended.stream()
                                .map(job -> new JobsAnswer.Changed(job.id().text(), "deleted"))
                                .toList(),
                        jobs.stream()
                                .filter(job -> !job.isFinished())
                                .map(job -> job.id() + " is still active; abort it first")
                                .map(words -> new Problem(ErrorCode.CONFLICT, words).body())
                                .toList()));
    }
}
