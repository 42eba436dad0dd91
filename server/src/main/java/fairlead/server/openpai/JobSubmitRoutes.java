package fairlead.server.openpai;

import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.engine.Engine;
import fairlead.job.JobSpec;
import fairlead.journal.JournalException;
import fairlead.server.admission.Admission;
import fairlead.server.admission.NotAdmitted;
import fairlead.server.auth.Caller;
import fairlead.server.auth.JobAccounts;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * Submits jobs (O62 to O64): the token, then the schema, then the name, then the virtual cluster.
 * Answers once the job is durable.
 */
final class JobSubmitRoutes {
    private final Jobs jobs;
    private final Admission admission;
    private final Map<String, Engine> engines;

    JobSubmitRoutes(Jobs jobs, Admission admission, Map<String, Engine> engines) {
        this.jobs = jobs;
        this.admission = admission;
        this.engines = engines;
    }

    void post(PaiCall call) throws Exception {
        JobFile file = read(call);
        submit(call, new PaiName(call.user(), file.job().jobName()), file);
    }

    /** The job is called as the path says, whatever the file calls it. */
    void put(PaiCall call) throws Exception {
        submit(call, call.job(), read(call));
    }

    private static JobFile read(PaiCall call) throws IOException {
        try {
            return JobFile.ofRequest(call.jobFile());
        } catch (Invalid invalid) {
            throw PaiProblem.invalid(invalid.getMessage());
        }
    }

    private void submit(PaiCall call, PaiName name, JobFile file)
            throws JournalException, Refused, InterruptedException {
        name.check();
        refuseOtherNames(name, call.caller());
        if (jobs.search(name).isPresent()) throw exists(name);
        var sender =
                new Admission.Sender(call.caller(), call.caller().name(), JobAccounts.Form.OPENPAI);
        JobSpec spec =
                admission.complete(
                        PaiSpec.of(file, name.user().orElse(""), name.job()), call.caller(), null);
        try {
            admission.check(sender, spec);
        } catch (NotAdmitted refusal) {
            throw problem(refusal, spec.project(), call.caller());
        }
        var warnings = new LinkedHashSet<>(file.warnings());
        warnings.addAll(admission.warnings(sender.owner(), List.of(spec), 1));
        // OpenPAI shows no notes with a job, so its sender hears them now.
        Engine engine = engines.get(spec.cluster());
        warnings.addAll(engine.terms().notes(spec));
        // What is true of every job is no news to who submits one.
        warnings.removeAll(engine.terms().notes());
        ask(name, spec, sender);
        call.warn(warnings);
        call.sendMessage(202, "update job %s successfully".formatted(name.job()));
    }

    private static PaiProblem problem(NotAdmitted refusal, String virtualCluster, Caller caller) {
        return switch (refusal.reason()) {
            case UNKNOWN_PROJECT ->
                    new PaiProblem(
                            PaiCode.NO_VIRTUAL_CLUSTER,
                            "Virtual cluster %.100s is not found.".formatted(virtualCluster));
            case STOPPED_PROJECT ->
                    new PaiProblem(
                            PaiCode.FORBIDDEN_USER,
                            "Virtual cluster %s is stopped: it takes no new jobs."
                                    .formatted(virtualCluster));
            case NOT_A_MEMBER ->
                    new PaiProblem(
                            PaiCode.FORBIDDEN_USER,
                            "User %s is not allowed to do operation in %s"
                                    .formatted(caller.name(), virtualCluster));
            case ACCOUNT -> new PaiProblem(PaiCode.FORBIDDEN_USER, refusal.getMessage());
            case ORIGIN, UNKNOWN_CLUSTER, CANNOT_RUN, NEVER_FITS ->
                    PaiProblem.invalid(refusal.getMessage());
        };
    }

    /** Files are opened under the name, and the tasks have it: so it must be one's own. */
    private static void refuseOtherNames(PaiName name, Caller caller) {
        boolean isOwn = name.user().isEmpty() || name.user().get().equals(caller.name());
        if (isOwn || caller.isAdmin()) return;
        throw new PaiProblem(
                PaiCode.FORBIDDEN_USER,
                "User %s is not allowed to submit jobs under the name of %s; submit to /user/%s/jobs."
                        .formatted(caller.name(), name.user().get(), caller.name()));
    }

    /** Somebody may have taken the name, or stopped the virtual cluster, since we looked. */
    private void ask(PaiName name, JobSpec spec, Admission.Sender sender)
            throws JournalException, Refused, InterruptedException {
        try {
            admission.ask(
                    sender,
                    new Message.Submit(
                            sender.owner(),
                            List.of(spec),
                            Optional.empty(),
                            OptionalInt.empty(),
                            List.of(),
                            new CompletableFuture<>()));
        } catch (Refused refused) {
            switch (refused.kind()) {
                case CONFLICT -> {
                    if (jobs.search(name).isPresent()) throw exists(name);
                    throw new PaiProblem(PaiCode.FORBIDDEN_USER, refused.getMessage());
                }
                case NOT_FOUND ->
                        throw new PaiProblem(PaiCode.NO_VIRTUAL_CLUSTER, refused.getMessage());
                case FORBIDDEN ->
                        throw new PaiProblem(PaiCode.FORBIDDEN_USER, refused.getMessage());
                case BUSY, UNAVAILABLE, UNDECIDED -> throw refused;
            }
        }
    }

    private static PaiProblem exists(PaiName name) {
        return new PaiProblem(
                PaiCode.CONFLICT_JOB, "Job name %s already exists.".formatted(name.job()));
    }
}
