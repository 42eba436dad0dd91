package fairlead.server.http;

import fairlead.api.AbortAnswer;
import fairlead.api.ErrorCode;
import fairlead.api.PriorityRequest;
import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Job;
import fairlead.job.Limits;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.runtime.Retention;
import fairlead.server.wire.Bodies;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What an owner may do to a job: abort, change its priority, delete. */
final class ChangeRoutes {
    private final JobFinder finder;
    private final Controller controller;
    private final Journal journal;
    private final Questions questions;
    private final Retention retention;

    ChangeRoutes(
            JobFinder finder,
            Controller controller,
            Journal journal,
            Questions questions,
            Retention retention) {
        this.finder = finder;
        this.controller = controller;
        this.journal = journal;
        this.questions = questions;
        this.retention = retention;
    }

    void abort(Call call) throws InterruptedException, Refused, JournalException {
        Job job = finder.find(call.id());
        call.onlyOwner(job, "abort");
        var answer = new CompletableFuture<Job>();
        Job after = questions.ask(new Message.Cancel(job.id(), call.caller().name(), answer));
        call.send(200, Bodies.job(after));
    }

    /** All jobs of an array in one message, so that they take one commit and not one each. */
    void abortArray(Call call) throws InterruptedException, Refused, JournalException {
        String array = call.id();
        List<Job> jobs =
                controller.unfinished().stream()
                        .filter(job -> isOf(array, job))
                        .sorted(Comparator.comparing(Job::submitted))
                        .toList();
        if (jobs.isEmpty()) throw nothingToAbort(array);
        call.onlyOwner(jobs.getFirst(), "abort");
        var answer = new CompletableFuture<List<Job>>();
        List<Job> after =
                questions.ask(
                        new Message.CancelAll(
                                jobs.stream().map(Job::id).toList(), call.caller().name(), answer));
        call.send(
                200,
                new AbortAnswer(
                        array,
                        after.stream()
                                .map(
                                        job ->
                                                new AbortAnswer.Aborted(
                                                        job.id().text(), job.state().word()))
                                .toList()));
    }

    private static boolean isOf(String array, Job job) {
        return job.array().isPresent() && job.array().get().array().equals(array);
    }

    private Problem nothingToAbort(String array) throws JournalException {
        var ended =
                new FinishedQuery(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(array),
                        Optional.empty(),
                        1);
        return journal.finished(ended).isEmpty()
                ? new Problem(ErrorCode.NOT_FOUND, "no array '%.200s'".formatted(array))
                : new Problem(
                        ErrorCode.CONFLICT, "all jobs of array " + array + " have already ended");
    }

    void priority(Call call) throws IOException, InterruptedException, Refused, JournalException {
        Job job = finder.find(call.id());
        call.onlyOwner(job, "change the priority of");
        int priority = priority(call.body(PriorityRequest.class), job);
        var answer = new CompletableFuture<Job>();
        var change = new Message.ChangePriority(job.id(), priority, call.caller().name(), answer);
        call.send(200, Bodies.job(questions.ask(change)));
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
        Job job = finder.find(call.id());
        call.onlyOwner(job, "delete");
        // Its end is shown as soon as it is durable, which is a moment before it is published.
        retention.delete(journal.find(job.id()).orElse(job));
        call.sendNothing(204);
    }
}
