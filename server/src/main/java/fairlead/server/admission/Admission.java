package fairlead.server.admission;

import fairlead.api.HereBody;
import fairlead.api.spec.SpecBody;
import fairlead.cluster.Gpu;
import fairlead.cluster.NodeState;
import fairlead.cluster.View;
import fairlead.control.Controller;
import fairlead.control.Membership;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.engine.Engine;
import fairlead.job.JobSpec;
import fairlead.job.Project;
import fairlead.job.Role;
import fairlead.job.SpecException;
import fairlead.job.Training;
import fairlead.journal.JournalException;
import fairlead.policy.Capacity;
import fairlead.policy.Obstacle;
import fairlead.policy.fair.InteractiveWork;
import fairlead.server.admission.NotAdmitted.Reason;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.auth.JobAccounts;
import fairlead.server.auth.Secrets;
import fairlead.server.launch.LaunchHooks;
import fairlead.server.launch.WorkingFolders;
import fairlead.server.runtime.Questions;
import fairlead.wire.Specs;
import fairlead.wire.Units;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The way of a job from what its sender wrote into the controller, whichever interface it came by:
 * defaults, refusals, warnings, and the question itself. Nothing has changed when a job is refused.
 * Any thread.
 */
public final class Admission {
    private static final int WARNINGS_MAX = 20;

    private final Controller controller;
    private final Questions questions;
    private final Supplier<List<String>> clusters;
    private final Map<String, Engine> engines;
    private final Access access;
    private final JobAccounts accounts;
    private final WorkingFolders folders;
    private final LaunchHooks hooks;
    private final Secrets secrets;

    /**
     * Who sends a job, and how.
     *
     * @param owner whose job it becomes
     * @param form how it could say as which account it runs
     */
    public record Sender(Caller caller, String owner, JobAccounts.Form form) {}

    /**
     * @param clusters as they are now; the first is that of jobs that name none
     * @param folders the working folders of specs that name none
     */
    public Admission(
            Controller controller,
            Questions questions,
            Supplier<List<String>> clusters,
            Map<String, Engine> engines,
            Access access,
            JobAccounts accounts,
            WorkingFolders folders,
            LaunchHooks hooks,
            Secrets secrets) {
        this.controller = controller;
        this.questions = questions;
        this.clusters = clusters;
        this.engines = engines;
        this.access = access;
        this.accounts = accounts;
        this.folders = folders;
        this.hooks = hooks;
        this.secrets = secrets;
    }

    /**
     * Fills in the defaults and checks what follows from the spec alone.
     *
     * @param here where its sender stands; null for one who stands nowhere on this machine
     */
    public JobSpec complete(SpecBody body, Caller owner, HereBody here) {
        String first = clusters.get().getFirst();
        String cluster = body.cluster() == null ? first : body.cluster();
        Engine engine = engines.get(cluster);
        boolean runsImages = engine != null && engine.terms().runsImages();
        // Without an image a task of this machine is a process, which has its owner's variables.
        boolean isInside = runsImages && (body.image() != null || !engine.terms().runsHere());
        boolean hasFolder = here != null && here.folder() != null;
        boolean hasVariables = here != null && here.env() != null && !isInside;
        JobSpec spec =
                Specs.read(
                        body,
                        new Specs.Defaults(
                                owner.name(),
                                owner.project(),
                                hasFolder ? here.folder() : folders.of(engine),
                                hasGpus(cluster),
                                first,
                                hasVariables ? here.env() : Map.of(),
                                isInside));
        boolean isHere = engine != null && engine.terms().runsHere();
        if (!isHere || spec.user().isPresent() || access.isOwner(owner.name())) return spec;
        Optional<String> account = accounts.usual(owner.name());
        return account.isEmpty() ? spec : spec.with(edit -> edit.user = account);
    }

    /** A cluster that nobody has seen yet counts as what it most likely is: one with GPUs. */
    private boolean hasGpus(String cluster) {
        if (!engines.containsKey(cluster)) return false;
        List<NodeState> nodes = controller.view(cluster).nodes();
        return nodes.isEmpty()
                ? controller.unreachable(cluster).isPresent()
                : nodes.stream().anyMatch(node -> !node.node().gpus().isEmpty());
    }

    /** Refuses a job that is new. */
    public void check(Sender sender, JobSpec spec) throws NotAdmitted {
        checkProject(sender, spec);
        checkAccount(sender, spec);
        checkOrigin(sender, spec);
        checkSecrets(sender, spec);
        checkEngine(spec);
    }

    /** A secret may still go before the job starts; then its launch fails with the same words. */
    private void checkSecrets(Sender sender, JobSpec spec) throws NotAdmitted {
        try {
            secrets.filled(spec.environment(), sender.owner(), spec.project());
        } catch (Secrets.Unknown unknown) {
            throw new NotAdmitted(
                    Reason.CANNOT_RUN, "env." + unknown.variable(), unknown.getMessage());
        } catch (JournalException unreadable) {
            throw new NotAdmitted(Reason.CANNOT_RUN, "env", unreadable.getMessage());
        }
    }

    /** Refuses a job that was admitted before: its origin and its project are as they were. */
    public void checkAgain(Sender sender, JobSpec spec) throws NotAdmitted {
        checkAccount(sender, spec);
        checkEngine(spec);
    }

    /** As the controller will: here a field can be named, and a dry run is refused alike. */
    private void checkProject(Sender sender, JobSpec spec) throws NotAdmitted {
        Optional<Refused> refusal =
                Membership.refusal(controller.rules(), spec.project(), sender.owner());
        if (refusal.isEmpty()) return;
        String words = refusal.get().getMessage();
        switch (refusal.get().kind()) {
            case NOT_FOUND -> throw new NotAdmitted(Reason.UNKNOWN_PROJECT, "project", words);
            case CONFLICT -> throw new NotAdmitted(Reason.STOPPED_PROJECT, "", words);
            case FORBIDDEN -> {
                if (!joins(sender)) throw new NotAdmitted(Reason.NOT_A_MEMBER, "", words);
            }
            case BUSY, UNAVAILABLE, UNDECIDED ->
                    throw new IllegalStateException("no reason for a project", refusal.get());
        }
    }

    /** In OpenPAI admins may use all virtual clusters (O64): they become members as they submit. */
    private static boolean joins(Sender sender) {
        return sender.form() == JobAccounts.Form.OPENPAI
                && sender.caller().isAdmin()
                && sender.caller().name().equals(sender.owner());
    }

    /** A job that runs as root is enough to be an admin. */
    private void checkAccount(Sender sender, JobSpec spec) throws NotAdmitted {
        Engine engine = engines.get(spec.cluster());
        boolean isHere = engine != null && engine.terms().runsHere();
        Optional<String> refusal =
                accounts.refusal(
                        sender.caller(),
                        access.isOwner(sender.owner()),
                        isHere,
                        spec.user(),
                        sender.form());
        if (refusal.isPresent()) throw new NotAdmitted(Reason.ACCOUNT, "user", refusal.get());
    }

    /** OpenPAI's interface has its own rule for names, and has applied it by now. */
    private void checkOrigin(Sender sender, JobSpec spec) throws NotAdmitted {
        boolean isFree = sender.caller().isAdmin() || sender.form() == JobAccounts.Form.OPENPAI;
        try {
            hooks.check(spec, isFree ? Optional.empty() : Optional.of(sender.owner()));
        } catch (SpecException bad) {
            throw new NotAdmitted(Reason.ORIGIN, bad.field(), bad.problem());
        }
    }

    private void checkEngine(JobSpec spec) throws NotAdmitted {
        Engine engine = engines.get(spec.cluster());
        if (engine == null)
            throw new NotAdmitted(
                    Reason.UNKNOWN_CLUSTER,
                    "cluster",
                    "no cluster '%s'; known: %s"
                            .formatted(spec.cluster(), String.join(", ", clusters.get())));
        Optional<String> refusal = engine.terms().refuses(spec);
        if (refusal.isPresent()) throw new NotAdmitted(Reason.CANNOT_RUN, "", refusal.get());
    }

    /** Refuses a job that its cluster, as it is now, could never start. */
    public void checkFits(JobSpec spec) throws NotAdmitted {
        // It may start on fewer GPUs than it asks for.
        if (spec.training().isPresent()) return;
        Optional<Obstacle> never = Capacity.neverFits(spec, controller.view(spec.cluster()));
        if (never.isPresent())
            throw new NotAdmitted(Reason.NEVER_FITS, "", "the job " + never.get().words());
    }

    /**
     * What the owner must know at once of jobs that were checked. One line for each thing that is
     * wrong, not for each job of an array.
     *
     * @param jobs how many they become
     */
    public List<String> warnings(String owner, List<JobSpec> specs, int jobs) {
        Set<String> warnings = new LinkedHashSet<>();
        Set<List<Object>> checked = new LinkedHashSet<>();
        for (JobSpec spec : specs) {
            if (warnings.size() == WARNINGS_MAX) break;
            List<Object> shape = shape(spec);
            if (!checked.add(shape)) continue;
            warnings.addAll(engines.get(spec.cluster()).terms().warnings(spec));
            View view = controller.view(spec.cluster());
            Capacity.neverFits(spec, view)
                    .ifPresent(
                            obstacle ->
                                    warnings.add(subject(specs, spec, jobs) + obstacle.words()));
            tooMuchMemory(spec, view).ifPresent(warnings::add);
            InteractiveWork.refusal(owner, spec, view)
                    .ifPresent(
                            obstacle ->
                                    warnings.add(
                                            subject(specs, spec, jobs)
                                                    + (obstacle.isForGood() ? "" : "waits: ")
                                                    + obstacle.words()));
        }
        return List.copyOf(warnings);
    }

    /** It would never share a GPU, though its owner says how much of one it needs. */
    private static Optional<String> tooMuchMemory(JobSpec spec, View view) {
        Optional<Long> needed = spec.training().flatMap(Training::memoryBytes);
        if (needed.isEmpty()) return Optional.empty();
        long largest = 0;
        for (NodeState node : view.nodes()) {
            for (Gpu gpu : node.node().gpus()) largest = Math.max(largest, gpu.memoryBytes());
        }
        if (largest == 0 || needed.get() <= largest) return Optional.empty();
        return Optional.of(
                "the estimated memory of %s is more than the %s of the largest GPU"
                        .formatted(Units.text(needed.get()), Units.text(largest)));
    }

    /** The jobs of an array are alike, so a name tells only those of several specs apart. */
    private static String subject(List<JobSpec> specs, JobSpec spec, int jobs) {
        boolean alike = specs.stream().allMatch(other -> other.name().equals(spec.name()));
        if (!alike) return "job '" + spec.name() + "' ";
        return jobs == 1 ? "the job " : "the jobs ";
    }

    /** Specs of one shape may or may not start alike. */
    private static List<Object> shape(JobSpec spec) {
        var shape = new ArrayList<Object>();
        shape.add(spec.name());
        shape.add(spec.cluster());
        shape.add(spec.project());
        shape.add(spec.interactive());
        shape.add(spec.container());
        shape.add(spec.training().flatMap(Training::memoryBytes));
        for (Role role : spec.roles()) {
            shape.add(role.count());
            shape.add(role.resources());
        }
        return shape;
    }

    /** Submits; durable when this returns. */
    public Message.Submitted ask(Sender sender, Message.Submit submit)
            throws Refused, InterruptedException {
        if (joins(sender)) {
            for (JobSpec spec : submit.specs()) join(spec.project(), sender.owner());
        }
        return questions.ask(submit);
    }

    private void join(String name, String member) throws Refused, InterruptedException {
        questions.changing().lockInterruptibly();
        try {
            Project project = controller.rules().projects().get(name);
            if (project == null || project.admits(member)) return;
            var members = new TreeSet<>(project.members());
            members.add(member);
            Project wider = project.withMembers(members);
            questions.ask(new Message.SetProject(wider, new CompletableFuture<>()));
        } finally {
            questions.changing().unlock();
        }
    }
}
