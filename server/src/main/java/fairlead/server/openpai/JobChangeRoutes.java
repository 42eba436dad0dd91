package fairlead.server.openpai;

import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Job;
import fairlead.journal.JournalException;
import fairlead.server.runtime.Questions;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** What an owner or an admin may do to a job: stop it (O66) and delete it (O65). */
final class JobChangeRoutes {
    private final Jobs jobs;
    private final Questions questions;
    private final Removals removals;

    JobChangeRoutes(Jobs jobs, Questions questions, Removals removals) {
        this.jobs = jobs;
        this.questions = questions;
        this.removals = removals;
    }

    /** An active job is stopped first, and goes once it has stopped. */
    void delete(PaiCall call) throws Exception {
        PaiName name = call.job();
        Job job = jobs.own(name, call.caller(), "change job");
        if (!job.isFinished()) stop(job, call);
        removals.remove(job);
        call.sendMessage(202, "deleted job %s successfully".formatted(name.job()));
    }

    /** Before the token, as OpenPAI does it. */
    void checkExecutionType(PaiCall call) throws IOException {
        isStop(call);
    }

    private static boolean isStop(PaiCall call) throws IOException {
        return switch (call.fields().only("value").requiredText("value")) {
            case "START" -> false;
            case "STOP" -> true;
            default -> throw PaiProblem.invalid("\"value\" must be one of [START, STOP]");
        };
    }

    /** O52: a job that was stopped does not start again, and one that was not has started. */
    void setExecutionType(PaiCall call)
            throws IOException, Refused, InterruptedException, JournalException {
        PaiName name = call.job();
        Job job = jobs.own(name, call.caller(), "change job");
        if (isStop(call) && !job.isFinished()) stop(job, call);
        call.sendMessage(202, "execute job %s successfully".formatted(name.job()));
    }

    private void stop(Job job, PaiCall call) throws Refused, InterruptedException {
        try {
            questions.ask(
                    new Message.Cancel(job.id(), call.caller().name(), new CompletableFuture<>()));
        } catch (Refused refused) {
            // It has ended, or is gone, since we looked: stopped is what it was meant to be.
            boolean isOver =
                    switch (refused.kind()) {
                        case NOT_FOUND, CONFLICT -> true;
                        case FORBIDDEN, BUSY, UNAVAILABLE, UNDECIDED -> false;
                    };
            if (!isOver) throw refused;
        }
    }
}
