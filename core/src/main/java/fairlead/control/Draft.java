package fairlead.control;

import fairlead.cluster.ClusterState;
import fairlead.cluster.View;
import fairlead.engine.Observation;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Completion;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Origin;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.Verdict;
import fairlead.journal.Fact;
import fairlead.journal.JournalException;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * What one tick is about to make true: facts, the jobs as they will stand, and the answers that
 * wait for the commit. Lives for one tick, on the controller's loop.
 */
final class Draft {
    private static final System.Logger LOG = System.getLogger(Draft.class.getName());

    /** Beyond this a submit is refused: memory, and nobody's queue is that long by intent. */
    private static final int UNFINISHED_MAX = 200_000;

    /** Ids are random; a second try at a free one is already rare. */
    private static final int ID_TRIES_MAX = 16;

    private final Controller controller;
    private final Instant now;
    private final Map<JobId, Job> changed = new LinkedHashMap<>();
    private final List<Fact> facts = new ArrayList<>();
    private final List<Job> after = new ArrayList<>();
    private final Map<AttemptId, String> strays = new LinkedHashMap<>();
    private final Map<String, Message.Submitted> requests = new HashMap<>();
    private final Map<String, JobId> keys = new HashMap<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final List<CompletableFuture<?>> asked = new ArrayList<>();

    Draft(Controller controller, Instant now) {
        this.controller = controller;
        this.now = now;
    }

    List<Fact> facts() {
        return facts;
    }

    /** The job as each fact leaves it, in the order of the facts. */
    List<Job> after() {
        return after;
    }

    Map<JobId, Job> changed() {
        return changed;
    }

    /** Attempts that ended or that nobody owns, with their cluster: engines may let go of them. */
    Map<AttemptId, String> strays() {
        return strays;
    }

    void answerAll() {
        answers.forEach(Runnable::run);
    }

    /** The cluster with all that this tick has changed so far. */
    ClusterState cluster(Job job) {
        return controller.state(job);
    }

    /** Once the facts of this tick are durable. */
    void answer(Runnable answer) {
        answers.add(answer);
    }

    void refuseAll(JournalException failure) {
        var refusal = new Refused(Refused.Kind.UNAVAILABLE, failure.getMessage());
        asked.forEach(answer -> answer.completeExceptionally(refusal));
    }

    void take(Message message) throws JournalException {
        if (message instanceof Message.Asked<?> question) asked.add(question.answer());
        switch (message) {
            case Message.Submit submit -> submit(submit);
            case Message.Cancel cancel -> cancel(cancel);
            case Message.CancelAll cancel -> cancelAll(cancel);
            case Message.Delete delete -> delete(delete);
            case Message.ChangePriority change -> changePriority(change);
            case Message.SetProject set -> {
                controller.set(set.project());
                answers.add(() -> set.answer().complete(set.project()));
            }
            case Message.DeleteProject delete -> deleteProject(delete);
            case Message.SetPerson set -> {
                controller.set(set.person());
                answers.add(() -> set.answer().complete(set.person()));
            }
            case Message.DeletePerson delete -> {
                controller.deletePerson(delete.name());
                answers.add(() -> delete.answer().complete(delete.name()));
            }
            case Message.AddCluster add -> {
                controller.add(add.cluster());
                answers.add(() -> add.answer().complete(add.cluster().name()));
            }
            case Message.Trained trained -> new Reports(this, now).take(trained);
            case Message.Observed observed -> observed(observed);
            case Message.Unseen unseen -> controller.lose(unseen);
            case Message.Acknowledged acknowledged -> controller.acknowledge(acknowledged);
            case Message.Predicted predicted -> predicted(predicted);
            case Message.GuestsSeen seen -> controller.state(seen.cluster()).guests(seen.guests());
            case Message.NodesSeen seen -> controller.state(seen.cluster()).nodes(seen.nodes());
        }
    }

    /** The job as this draft has it; empty when it is finished or unknown. */
    Optional<Job> current(JobId id) {
        Job job = changed.get(id);
        if (job == null) return controller.unfinished(id);
        return job.isFinished() ? Optional.empty() : Optional.of(job);
    }

    Job apply(Job before, Event event) {
        Job after = JobMachine.next(before, event);
        record(before.id(), event, Optional.of(before), after);
        if (event instanceof Event.EpochEnded ended) controller.state(after).learn(after, ended);
        if (event instanceof Event.AttemptEnded ended) {
            strays.put(ended.attempt(), before.spec().cluster());
        }
        return after;
    }

    /** Turns a plan into facts, unless it breaks a promise: then nothing of it is done. */
    void carryOut(Plan plan, View view) {
        Optional<String> problem = PlanCheck.problem(plan, view, this::current);
        if (problem.isPresent()) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "plan refused, nothing of it is done: {0}",
                    problem.get());
            return;
        }
        for (Plan.Start start : plan.starts()) {
            Job job = current(start.job()).orElseThrow();
            var attempt =
                    new Attempt(new AttemptId(job.id(), job.attempts() + 1), start.placement());
            apply(job, new Event.AttemptPlaced(now, attempt));
        }
        for (Plan.Preempt preempt : plan.preempts()) {
            Job victim = current(preempt.victim()).orElseThrow();
            AttemptId attempt = ((JobState.Active) victim.state()).attempt().id();
            apply(
                    victim,
                    new Event.PreemptRequested(now, attempt, preempt.beneficiary(), preempt.why()));
        }
    }

    private void record(JobId id, Event event, Optional<Job> before, Job after) {
        changed.put(id, after);
        facts.add(new Fact(id, event));
        this.after.add(after);
        controller.state(after).change(before, Optional.of(after));
        controller.memory().change(before, after);
    }

    private void submit(Message.Submit submit) throws JournalException {
        Optional<String> request = submit.request().map(text -> submit.owner() + "/" + text);
        if (request.isPresent()) {
            Optional<Message.Submitted> known = known(request.get());
            if (known.isPresent()) {
                answers.add(() -> submit.answer().complete(known.get()));
                return;
            }
        }
        Optional<Refused> refusal = refusal(submit);
        if (refusal.isPresent()) {
            answers.add(() -> submit.answer().completeExceptionally(refusal.get()));
            return;
        }
        for (JobId old : submit.instead())
            current(old).ifPresent(job -> cancel(job, submit.owner()));
        Optional<String> array =
                submit.array().isPresent()
                        ? Optional.of("%08x".formatted(controller.roll()))
                        : Optional.empty();
        var made = new ArrayList<JobId>();
        for (JobSpec spec : submit.specs())
            made.add(
                    create(
                            submit.owner(),
                            spec,
                            request,
                            array,
                            submit.array().orElse(0) + made.size()));
        var submitted = new Message.Submitted(List.copyOf(made), array, false);
        request.ifPresent(
                text -> requests.put(text, new Message.Submitted(submitted.jobs(), array, true)));
        answers.add(() -> submit.answer().complete(submitted));
    }

    private Optional<Message.Submitted> known(String request) throws JournalException {
        Message.Submitted inDraft = requests.get(request);
        if (inDraft != null) return Optional.of(inDraft);
        List<JobId> made = controller.journal().madeBy(request);
        if (made.isEmpty()) return Optional.empty();
        Optional<String> array =
                controller
                        .journal()
                        .find(made.getFirst())
                        .flatMap(Job::array)
                        .map(Job.ArrayPlace::array);
        return Optional.of(new Message.Submitted(made, array, true));
    }

    private Optional<Refused> refusal(Message.Submit submit) throws JournalException {
        for (JobSpec spec : submit.specs()) {
            if (!controller.isKnownCluster(spec.cluster())) {
                return Optional.of(
                        new Refused(Refused.Kind.NOT_FOUND, "no cluster " + spec.cluster()));
            }
        }
        for (JobSpec spec : submit.specs()) {
            Optional<Refused> refusal =
                    Membership.refusal(controller.rules(), spec.project(), submit.owner());
            if (refusal.isPresent()) return refusal;
        }
        Optional<Refused> taken = takenKey(submit.specs());
        if (taken.isPresent()) return taken;
        Optional<Refused> vain = Dependents.refusal(submit.specs(), this, controller);
        if (vain.isPresent()) return vain;
        int unfinished = controller.unfinishedCount() + changed.size() + submit.specs().size();
        return unfinished <= UNFINISHED_MAX
                ? controller.memory().refusal(submit.owner(), submit.specs())
                : Optional.of(
                        new Refused(
                                Refused.Kind.BUSY,
                                "more than "
                                        + UNFINISHED_MAX
                                        + " jobs would be unfinished; try again later"));
    }

    /** Two pods of one name would be the same pod, and other systems know a job by its name. */
    private Optional<Refused> takenKey(List<JobSpec> specs) throws JournalException {
        var here = new HashSet<String>();
        for (JobSpec spec : specs) {
            if (spec.uniqueKey().isEmpty()) continue;
            String key = spec.uniqueKey().get();
            if (!here.add(key)) {
                return Optional.of(
                        new Refused(
                                Refused.Kind.CONFLICT,
                                spec.podName()
                                        .map(
                                                pod ->
                                                        "two jobs of this request call their pod "
                                                                + "'"
                                                                + pod
                                                                + "'")
                                        .orElseGet(
                                                () ->
                                                        "two jobs of this request are called '"
                                                                + called(spec)
                                                                + "'")));
            }
            JobId inDraft = keys.get(key);
            Optional<JobId> holder =
                    inDraft == null ? controller.journal().holderOf(key) : Optional.of(inDraft);
            if (holder.isPresent()) {
                return Optional.of(
                        new Refused(Refused.Kind.CONFLICT, takenText(spec, holder.get())));
            }
        }
        return Optional.empty();
    }

    private static String takenText(JobSpec spec, JobId holder) {
        String what =
                spec.podName()
                        .map(
                                pod ->
                                        "the pod '%s' already exists in project '%s'"
                                                .formatted(pod, spec.project()))
                        .orElseGet(() -> "the job '" + called(spec) + "' already exists");
        return what + ": it is " + holder + "; delete that job to free the name";
    }

    /** What the system knows it by that it comes from. */
    private static String called(JobSpec spec) {
        return spec.origin().map(Origin::key).orElseThrow();
    }

    private JobId create(
            String owner,
            JobSpec spec,
            Optional<String> request,
            Optional<String> array,
            int index) {
        Instant submitted = controller.nextSubmit();
        JobId id = JobId.of(spec.name(), submitted, controller.roll());
        for (int tries = 1; isTaken(id); tries++) {
            if (tries == ID_TRIES_MAX) throw new IllegalStateException("no free id after " + id);
            id = JobId.of(spec.name(), submitted, controller.roll());
        }
        Job job =
                Job.submitted(
                        id,
                        spec,
                        owner,
                        submitted,
                        request,
                        array.map(name -> new Job.ArrayPlace(name, index)));
        record(id, new Event.Submitted(submitted), Optional.empty(), job);
        if (spec.uniqueKey().isPresent()) keys.put(spec.uniqueKey().get(), id);
        return id;
    }

    private boolean isTaken(JobId id) {
        return changed.containsKey(id) || controller.unfinished(id).isPresent();
    }

    private void cancel(Message.Cancel message) {
        Optional<Job> job = current(message.job());
        if (job.isEmpty()) {
            var refusal = new Refused(Refused.Kind.CONFLICT, message.job() + " has already ended");
            answers.add(() -> message.answer().completeExceptionally(refusal));
            return;
        }
        Job after = cancel(job.get(), message.by());
        answers.add(() -> message.answer().complete(after));
    }

    private void cancelAll(Message.CancelAll message) {
        var after = new ArrayList<Job>();
        for (JobId id : message.jobs())
            current(id).ifPresent(job -> after.add(cancel(job, message.by())));
        answers.add(() -> message.answer().complete(List.copyOf(after)));
    }

    private void predicted(Message.Predicted message) {
        // In the order of ids, as the message's map has none.
        new TreeMap<>(message.predictions())
                .forEach(
                        (id, prediction) ->
                                current(id)
                                        .filter(job -> job.state() instanceof JobState.Queued)
                                        .filter(job -> job.prediction().isEmpty())
                                        .ifPresent(
                                                job ->
                                                        apply(
                                                                job,
                                                                new Event.StartPredicted(
                                                                        now, prediction))));
    }

    private void changePriority(Message.ChangePriority message) {
        Optional<Job> job = current(message.job());
        if (job.isEmpty()) {
            var refusal = new Refused(Refused.Kind.CONFLICT, message.job() + " has already ended");
            answers.add(() -> message.answer().completeExceptionally(refusal));
            return;
        }
        var event = new Event.PriorityChanged(now, message.priority(), message.by());
        Job after = apply(job.get(), event);
        answers.add(() -> message.answer().complete(after));
    }

    private Job cancel(Job job, String by) {
        return apply(job, new Event.CancelRequested(now, by));
    }

    private void delete(Message.Delete message) throws JournalException {
        for (JobId job : message.jobs()) {
            if (current(job).isEmpty() && !changed.containsKey(job)) continue;
            var refusal =
                    new Refused(Refused.Kind.CONFLICT, job + " is still active; abort it first");
            answers.add(() -> message.answer().completeExceptionally(refusal));
            return;
        }
        controller.journal().delete(message.jobs());
        answers.add(() -> message.answer().complete(message.jobs()));
    }

    private void deleteProject(Message.DeleteProject message) throws JournalException {
        Stream<Job> unfinished =
                Stream.concat(
                                controller.unfinished().stream().map(Job::id),
                                changed.keySet().stream())
                        .distinct()
                        .flatMap(id -> current(id).stream());
        Optional<Refused> refusal =
                ProjectUse.refusal(message.name(), unfinished, controller.people().values());
        if (refusal.isPresent()) {
            answers.add(() -> message.answer().completeExceptionally(refusal.get()));
            return;
        }
        controller.deleteProject(message.name());
        answers.add(() -> message.answer().complete(message.name()));
    }

    private void observed(Message.Observed message) {
        controller.see(message);
        var seen = new HashMap<AttemptId, Observation>();
        for (Observation observation : message.seen()) seen.put(observation.attempt(), observation);
        for (Job listed : controller.state(message.cluster()).active()) {
            Job job = current(listed.id()).orElseThrow();
            var state = (JobState.Active) job.state();
            Observation observation = seen.remove(state.attempt().id());
            if (observation != null) look(job, state, observation);
            else if (controller.isGone(job, state, message.begun())) {
                apply(
                        job,
                        new Event.AttemptEnded(
                                now,
                                state.attempt().id(),
                                new Verdict.Lost("its engine no longer knows it")));
            }
        }
        for (AttemptId stray : seen.keySet()) {
            if (!controller.isStray(stray)) strays.put(stray, message.cluster());
        }
    }

    private void look(Job job, JobState.Active state, Observation observation) {
        AttemptId attempt = state.attempt().id();
        if (state instanceof JobState.Starting && observation.running()) {
            job = apply(job, new Event.AttemptStarted(now, attempt, observation.endpoints()));
        }
        if (observation.gpuMemoryBytes() > 0 && job.spec().training().isPresent()) {
            var measured = new Event.MemoryMeasured(now, attempt, observation.gpuMemoryBytes());
            if (Reports.isNews(job, measured)) job = apply(job, measured);
        }
        var fresh = new TreeMap<TaskId, Exit>(observation.exits());
        fresh.keySet().removeAll(state.exits().keySet());
        if (fresh.isEmpty()) return;
        job = apply(job, new Event.TasksEnded(now, attempt, fresh));
        var exits = ((JobState.Active) job.state()).exits();
        Optional<Verdict> verdict = Completion.verdict(job.spec(), exits);
        if (verdict.isEmpty()) return;
        if (exits.size() == job.spec().tasks()) {
            apply(job, new Event.AttemptEnded(now, attempt, standing(job, verdict.get())));
        } else if (!(job.state() instanceof JobState.Stopping)) {
            apply(job, new Event.AttemptDecided(now, attempt, verdict.get()));
        }
    }

    /** What was decided stands: the other tasks were stopped for it, so their ends say nothing. */
    private static Verdict standing(Job job, Verdict ofAllTasks) {
        return job.state() instanceof JobState.Stopping stopping
                        && stopping.reason() instanceof StopReason.Decided(Verdict decided)
                ? decided
                : ofAllTasks;
    }
}
