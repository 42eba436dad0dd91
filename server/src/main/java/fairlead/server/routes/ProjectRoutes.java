package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.people.ProjectBody;
import fairlead.api.people.ProjectList;
import fairlead.api.people.ProjectRequest;
import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Project;
import fairlead.job.SpecException;
import fairlead.journal.JournalException;
import fairlead.server.auth.Roster;
import fairlead.server.auth.Secrets;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.runtime.Questions;
import fairlead.wire.Units;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Projects: what they are promised, and how they stand. */
final class ProjectRoutes {
    private static final int MEMBERS_MAX = 10_000;
    private static final String QUOTA = "quota";
    private static final String INTERACTIVE_MAX = "interactiveMax";
    private static final List<String> UNSETTABLE = List.of(QUOTA, INTERACTIVE_MAX);

    private final Controller controller;
    private final Questions questions;
    private final Roster roster;
    private final Secrets secrets;

    ProjectRoutes(Controller controller, Questions questions, Roster roster, Secrets secrets) {
        this.controller = controller;
        this.questions = questions;
        this.roster = roster;
        this.secrets = secrets;
    }

    /** What a project's jobs hold and wait for. */
    private record Use(long milliGpus, int waiting) {
        static final Use NONE = new Use(0, 0);

        Use plus(Use more) {
            return new Use(milliGpus + more.milliGpus, waiting + more.waiting);
        }
    }

    void list(Call call) {
        Map<String, Use> use = use();
        call.send(
                200,
                new ProjectList(
                        projects(controller).values().stream()
                                .map(project -> body(project, use))
                                .toList()));
    }

    private Map<String, Use> use() {
        var use = new HashMap<String, Use>();
        for (Job job : controller.unfinished()) {
            Use more =
                    job.state() instanceof JobState.Queued
                            ? new Use(0, 1)
                            : new Use(job.spec().milliGpus(), 0);
            use.merge(job.spec().project(), more, Use::plus);
        }
        return use;
    }

    private ProjectBody body(Project project, Map<String, Use> all) {
        Use use = all.getOrDefault(project.name(), Use.NONE);
        List<String> admins = roster.adminsOf(project.name());
        return new ProjectBody(
                project.name(),
                orNull(project.quota()),
                List.copyOf(project.members()),
                orNull(project.interactiveMax()),
                Units.text(project.interactiveLimit()),
                use.milliGpus() / 1000.0,
                use.waiting(),
                admins.isEmpty() ? null : admins,
                project.stopped() ? true : null);
    }

    private static Integer orNull(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    /** All of them, also the one that exists without being made. */
    private static Map<String, Project> projects(Controller controller) {
        var all = new TreeMap<>(controller.rules().projects());
        all.putIfAbsent(Project.DEFAULT, Project.named(Project.DEFAULT));
        return all;
    }

    /** The project, or a refusal that lists those that there are. */
    static Project known(Controller controller, String name, String field) {
        Map<String, Project> all = projects(controller);
        Project project = all.get(name);
        if (project == null)
            throw Problem.notFound(
                    field,
                    "%s: no project '%.64s'; known: %s"
                            .formatted(field, name, String.join(", ", all.keySet())));
        return project;
    }

    /** Whether it changes nothing but who belongs to the project. */
    private static boolean isAboutMembers(ProjectRequest request) {
        return request.equals(
                new ProjectRequest(
                        null, null, null, null, null, request.add(), request.remove(), null, null));
    }

    void set(Call call) throws IOException, InterruptedException, Refused, JournalException {
        ProjectRequest request = call.body(ProjectRequest.class);
        boolean create = call.flag("create");
        boolean looksAfter = call.caller().administers().contains(call.name());
        if (create || !looksAfter || !isAboutMembers(request)) call.onlyAdmin("change projects");
        questions.changing().lockInterruptibly();
        try {
            Project before = create ? fresh(call.name()) : known(controller, call.name(), "name");
            Project after =
                    questions.ask(
                            new Message.SetProject(
                                    changed(before, request), new CompletableFuture<>()));
            for (String name : names(request.addAdmins(), "addAdmins"))
                roster.setProjectAdmin(call.name(), name, true);
            for (String name : names(request.removeAdmins(), "removeAdmins"))
                roster.setProjectAdmin(call.name(), name, false);
            call.send(create ? 201 : 200, body(after, use()));
        } finally {
            questions.changing().unlock();
        }
    }

    void delete(Call call) throws InterruptedException, Refused, JournalException {
        call.onlyAdmin("delete projects");
        questions.changing().lockInterruptibly();
        try {
            known(controller, call.name(), "name");
            questions.ask(new Message.DeleteProject(call.name(), new CompletableFuture<>()));
            roster.forgetProject(call.name());
            secrets.forget(Secrets.Holder.PROJECT, call.name());
            call.sendNothing(204);
        } finally {
            questions.changing().unlock();
        }
    }

    private Project fresh(String name) {
        if (controller.rules().projects().containsKey(name))
            throw new Problem(ErrorCode.CONFLICT, "project " + name + " exists already");
        return Project.named(name);
    }

    private static Project changed(Project before, ProjectRequest request) {
        var members = new TreeSet<>(before.members());
        members.addAll(names(request.add(), "add"));
        members.removeAll(names(request.remove(), "remove"));
        SpecException.unless(
                members.size() <= MEMBERS_MAX,
                "add",
                "a project has at most " + MEMBERS_MAX + " members");
        List<String> unset = unset(request);
        return new Project(
                before.name(),
                changed(before.quota(), request.quota(), QUOTA, unset),
                members,
                changed(before.interactiveMax(), request.interactiveMax(), INTERACTIVE_MAX, unset),
                request.interactiveLimit() == null
                        ? before.interactiveLimit()
                        : limit(request.interactiveLimit()),
                request.stopped() == null ? before.stopped() : request.stopped());
    }

    private static List<String> unset(ProjectRequest request) {
        if (request.unset() == null) return List.of();
        for (String field : request.unset()) {
            SpecException.unless(
                    field != null && UNSETTABLE.contains(field),
                    "unset",
                    "'%.64s' cannot be unset; known: %s"
                            .formatted(field, String.join(", ", UNSETTABLE)));
        }
        return request.unset();
    }

    private static OptionalInt changed(
            OptionalInt before, Integer asked, String field, List<String> unset) {
        if (!unset.contains(field)) return asked == null ? before : OptionalInt.of(asked);
        SpecException.unless(asked == null, "unset", field + " cannot be both set and unset");
        return OptionalInt.empty();
    }

    private static Duration limit(String text) {
        return Units.duration(text, "interactiveLimit");
    }

    private static List<String> names(List<String> names, String field) {
        if (names == null) return List.of();
        for (String name : names) {
            SpecException.unless(
                    Objects.requireNonNullElse(name, "").matches("[^\\s,]{1,64}"),
                    field,
                    "has a name that nobody can have: '%.64s'".formatted(name));
        }
        return names;
    }
}
