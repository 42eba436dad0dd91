package fairlead.server.openpai;

import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.dialects.openpai.Invalid;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.engine.Engine;
import fairlead.job.JobSpec;
import fairlead.job.Project;
import fairlead.journal.JournalException;
import fairlead.policy.Capacity;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.auth.JobAccounts;
import fairlead.server.http.Questions;
import fairlead.server.wire.Specs;

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
    private final Controller controller;
    private final Questions questions;
    private final Access access;
    private final String cluster;
    private final JobParts parts;

    JobSubmitRoutes(
            Jobs jobs,
            Controller controller,
            Questions questions,
            Access access,
            String cluster,
            JobParts parts) {
        this.jobs = jobs;
        this.controller = controller;
        this.questions = questions;
        this.access = access;
        this.cluster = cluster;
        this.parts = parts;
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
        letIn(file.job().virtualCluster(), call.caller());
        Engine engine = parts.engines().get(cluster);
        JobSpec spec = spec(name, file, call.caller(), engine);
        refuseRoot(call.caller(), spec, engine);
        Optional<String> refusal = engine.terms().refuses(spec);
        if (refusal.isPresent()) throw PaiProblem.invalid(refusal.get());
        var warnings = new LinkedHashSet<>(file.warnings());
        warnings.addAll(engine.terms().warnings(spec));
        warnings.addAll(engine.terms().notes(spec));
        // What is true of every job is no news to who submits one.
        warnings.removeAll(engine.terms().notes());
        Capacity.neverFits(spec, controller.view(cluster))
                .ifPresent(obstacle -> warnings.add("the job " + obstacle.words()));
        ask(name, spec, call.caller().name());
        call.warn(warnings);
        call.sendMessage(202, "update job %s successfully".formatted(name.job()));
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

    /** OpenPAI's job files have no word for an account. */
    private void refuseRoot(Caller caller, JobSpec spec, Engine engine) {
        boolean isOwners = access.isOwner(caller.name());
        parts.accounts()
                .refusal(
                        caller,
                        isOwners,
                        engine.terms().runsHere(),
                        spec.user(),
                        JobAccounts.Form.OPENPAI)
                .ifPresent(
                        words -> {
                            throw new PaiProblem(PaiCode.FORBIDDEN_USER, words);
                        });
    }

    private JobSpec spec(PaiName name, JobFile file, Caller caller, Engine engine) {
        return Specs.read(
                PaiSpec.of(file, name.user().orElse(""), name.job()),
                new Specs.Defaults(
                        caller.name(),
                        caller.project(),
                        parts.folders().of(engine),
                        false,
                        cluster,
                        Map.of(),
                        engine.terms().runsImages()));
    }

    /** Somebody may have taken the name, or stopped the virtual cluster, since we looked. */
    private void ask(PaiName name, JobSpec spec, String owner)
            throws JournalException, Refused, InterruptedException {
        try {
            questions.ask(
                    new Message.Submit(
                            owner,
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

    /** O64. An admin who is not one of its members becomes one: admins may use all. */
    private void letIn(String virtualCluster, Caller caller) throws Refused, InterruptedException {
        Project project = find(virtualCluster);
        if (project.stopped())
            throw new PaiProblem(
                    PaiCode.FORBIDDEN_USER,
                    "Virtual cluster %s is stopped: it takes no new jobs."
                            .formatted(virtualCluster));
        if (project.admits(caller.name())) return;
        if (!caller.isAdmin())
            throw new PaiProblem(
                    PaiCode.FORBIDDEN_USER,
                    "User %s is not allowed to do operation in %s"
                            .formatted(caller.name(), virtualCluster));
        questions.changing().lockInterruptibly();
        try {
            Project now = find(virtualCluster);
            if (now.admits(caller.name())) return;
            Project wider = VirtualClusters.with(now, caller.name());
            questions.ask(new Message.SetProject(wider, new CompletableFuture<>()));
        } finally {
            questions.changing().unlock();
        }
    }

    private Project find(String virtualCluster) {
        Project project = VirtualClusters.all(controller).get(virtualCluster);
        if (project != null) return project;
        throw new PaiProblem(
                PaiCode.NO_VIRTUAL_CLUSTER,
                "Virtual cluster %.100s is not found.".formatted(virtualCluster));
    }
}
