package fairlead.server.openpai;

import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.auth.Passwords;
import fairlead.server.auth.Token;
import fairlead.server.runtime.Questions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** Users, who are the people of the server. */
final class UserRoutes {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]{1,32}");
    private static final Pattern CLUSTERS = Pattern.compile("[A-Za-z0-9._,-]*");

    private final Controller controller;
    private final Questions questions;
    private final Access access;

    UserRoutes(Controller controller, Questions questions, Access access) {
        this.controller = controller;
        this.questions = questions;
        this.access = access;
    }

    /** A person of ours may have a name that OpenPAI would not give. */
    private String name(Fields fields) {
        String name = fields.requiredText("username");
        if (NAME.matcher(name).matches() || find(name).isPresent()) return name;
        throw PaiProblem.invalid("\"username\" must have 1 to 32 letters, digits and underscores");
    }

    static String password(String text) {
        if (text.length() >= Passwords.CHARS_LEAST && text.length() <= Passwords.CHARS_MAX)
            return text;
        throw PaiProblem.invalid(
                "\"password\" must have %d to %d characters"
                        .formatted(Passwords.CHARS_LEAST, Passwords.CHARS_MAX));
    }

    void list(PaiCall call) {
        call.onlyAdmin();
        var users = new ArrayList<Map<String, Object>>();
        for (Caller each : access.everyone().values()) {
            Person person = controller.people().get(each.name());
            var user = new LinkedHashMap<String, Object>();
            user.put("username", each.name());
            // A text, as OpenPAI has it here and only here.
            user.put("admin", Boolean.toString(each.isAdmin()));
            user.put("virtualCluster", String.join(",", open(each)));
            user.put("hasGithubPAT", person != null && person.hasGitHubPat());
            users.add(user);
        }
        call.send(200, users);
    }

    /** The projects that somebody may use. */
    private Set<String> open(Caller who) {
        var names = new TreeSet<String>();
        for (Project project : VirtualClusters.all(controller).values()) {
            if (who.isAdmin() || project.admits(who.name())) names.add(project.name());
        }
        return names;
    }

    void set(PaiCall call) throws IOException, Refused, InterruptedException {
        Fields fields = call.fields().only("username", "password", "admin", "modify");
        String name = name(fields);
        boolean modify = fields.requiredFlag("modify");
        Optional<Boolean> admin = fields.flag("admin");
        Optional<String> password = newPassword(fields, modify);
        boolean isOwn = name.equals(call.caller().name()) && modify && !admin.orElse(false);
        if (!call.caller().isAdmin() && !isOwn) throw PaiProblem.onlyAdmin();
        // Before the lock: it takes a tenth of a second.
        Optional<String> hash =
                password.isEmpty() ? Optional.empty() : Optional.of(Passwords.hash(password.get()));
        questions.changing().lockInterruptibly();
        try {
            Person before = existing(name, modify);
            Person after = changed(before, admin, hash);
            keep(after);
            if (after.admin()) joinAll(name);
        } finally {
            questions.changing().unlock();
        }
        call.sendMessage(201, "update successfully");
    }

    /** Who is changed may keep the password that they have. */
    private static Optional<String> newPassword(Fields fields, boolean modify) {
        if (!modify) return Optional.of(password(fields.requiredText("password")));
        return fields.text("password").filter(text -> !text.isEmpty()).map(UserRoutes::password);
    }

    /** As they are now, or as somebody new begins. */
    private Person existing(String name, boolean modify) {
        Optional<Person> known = find(name);
        if (modify) return known.orElseThrow(() -> PaiProblem.noUser(name));
        if (known.isPresent())
            throw new PaiProblem(
                    PaiCode.CONFLICT_USER, "User name %s already exists.".formatted(name));
        return unknown(name, false);
    }

    /** The owner is known without a row. */
    private Optional<Person> find(String name) {
        Optional<Person> known = Optional.ofNullable(controller.people().get(name));
        return known.isEmpty() && access.isOwner(name) ? Optional.of(unknown(name, true)) : known;
    }

    /** With a token that nobody gets to see. */
    private static Person unknown(String name, boolean admin) {
        return new Person(name, Token.hash(Token.fresh()), admin, Project.DEFAULT);
    }

    private Person changed(Person before, Optional<Boolean> admin, Optional<String> hash) {
        if (access.isOwner(before.name()) && !admin.orElse(true))
            throw new PaiProblem(
                    PaiCode.FORBIDDEN_USER,
                    before.name() + " owns the server and is always an admin.");
        Person after = before.withAdmin(admin.orElse(before.admin()));
        return hash.map(after::withPassword).orElse(after);
    }

    private void keep(Person person) throws Refused, InterruptedException {
        questions.ask(new Message.SetPerson(person, new CompletableFuture<>()));
    }

    private void keep(Project project) throws Refused, InterruptedException {
        questions.ask(new Message.SetProject(project, new CompletableFuture<>()));
    }

    /** An admin may use all virtual clusters. */
    private void joinAll(String name) throws Refused, InterruptedException {
        for (Project project : VirtualClusters.all(controller).values()) {
            if (!project.admits(name)) keep(VirtualClusters.with(project, name));
        }
    }

    void delete(PaiCall call) throws IOException, Refused, InterruptedException {
        String name = name(call.fields().only("username"));
        call.onlyAdmin();
        questions.changing().lockInterruptibly();
        try {
            Person person = find(name).orElseThrow(() -> PaiProblem.noUser(name));
            if (person.admin() || access.isOwner(name))
                throw new PaiProblem(
                        PaiCode.REMOVE_ADMIN, "Admin %s is not allowed to remove.".formatted(name));
            questions.ask(new Message.DeletePerson(name, new CompletableFuture<>()));
        } finally {
            questions.changing().unlock();
        }
        call.sendMessage(200, "remove successfully");
    }

    void setVirtualClusters(PaiCall call) throws IOException, Refused, InterruptedException {
        String asked = call.fields().only("virtualClusters").requiredText("virtualClusters");
        if (!CLUSTERS.matcher(asked).matches())
            throw PaiProblem.invalid("\"virtualClusters\" must be names with commas between them");
        call.onlyAdmin();
        questions.changing().lockInterruptibly();
        try {
            Person person =
                    find(call.user().orElseThrow())
                            .orElseThrow(() -> PaiProblem.noUser(call.user().orElseThrow()));
            if (person.admin() || access.isOwner(person.name()))
                throw new PaiProblem(
                        PaiCode.FORBIDDEN_USER, "Admin's virtual clusters cannot be updated.");
            join(person, wanted(asked), call.caller().name());
        } finally {
            questions.changing().unlock();
        }
        call.sendMessage(201, "update user virtual clusters successfully");
    }

    private Set<String> wanted(String asked) {
        var wanted = new TreeSet<>(List.of(asked.split(",")));
        wanted.remove("");
        Map<String, Project> all = VirtualClusters.all(controller);
        for (String name : wanted) {
            if (!all.containsKey(name))
                throw new PaiProblem(
                        PaiCode.NO_VIRTUAL_CLUSTER,
                        400,
                        "Virtual cluster %.64s not found.".formatted(name));
        }
        wanted.add(Project.DEFAULT);
        return wanted;
    }

    /**
     * A project that is open to everyone stays so: to join it would close it to the others. One
     * that would lose its last member gets the admin who asked, because without any it would open.
     */
    private void join(Person person, Set<String> wanted, String admin)
            throws Refused, InterruptedException {
        String name = person.name();
        for (Project project : VirtualClusters.all(controller).values()) {
            boolean isMember = project.members().contains(name);
            if (wanted.contains(project.name())) {
                if (!project.admits(name)) keep(VirtualClusters.with(project, name));
            } else if (isMember) {
                Project left = VirtualClusters.without(project, name);
                keep(left.members().isEmpty() ? VirtualClusters.with(left, admin) : left);
            }
        }
        Project own = controller.rules().project(person.project());
        if (!own.admits(name)) keep(person.withProject(Project.DEFAULT));
    }

    /** Only whether there is one is kept: nothing here would use it, and it would be a risk. */
    void setGitHubPat(PaiCall call) throws IOException, Refused, InterruptedException {
        String token = call.fields().only("githubPAT").requiredText("githubPAT");
        if (!call.user().orElseThrow().equals(call.caller().name())) call.onlyAdmin();
        questions.changing().lockInterruptibly();
        try {
            Person person =
                    find(call.user().orElseThrow())
                            .orElseThrow(() -> PaiProblem.noUser(call.user().orElseThrow()));
            keep(person.withGitHubPat(!token.isEmpty()));
        } finally {
            questions.changing().unlock();
        }
        call.sendMessage(201, "update user github PAT successfully");
    }
}
