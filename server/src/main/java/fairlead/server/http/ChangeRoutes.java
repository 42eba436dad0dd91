package fairlead.server.http;

import fairlead.api.PriorityRequest;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Job;
import fairlead.job.Limits;
import fairlead.journal.JournalException;
import fairlead.server.runtime.Retention;
import fairlead.server.wire.Bodies;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** What an owner may do to a job: abort, change its priority, delete. */
final class ChangeRoutes {
    private final JobFinder finder;
    private final Questions questions;
    private final Retention retention;

    ChangeRoutes(JobFinder finder, Questions questions, Retention retention) {
        this.finder = finder;
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
        retention.delete(job);
        call.sendNothing(204);
    }
}
