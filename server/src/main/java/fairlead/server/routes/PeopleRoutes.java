package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.people.PasswordRequest;
import fairlead.api.people.PersonBody;
import fairlead.api.people.PersonList;
import fairlead.api.people.PersonRequest;
import fairlead.api.people.TokenAnswer;
import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.journal.JournalException;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.auth.Passwords;
import fairlead.server.auth.Roster;
import fairlead.server.auth.Secrets;
import fairlead.server.auth.Token;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.runtime.Questions;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Who is known here. */
final class PeopleRoutes {
    private final Controller controller;
    private final Questions questions;
    private final Access access;
    private final Roster roster;
    private final Secrets secrets;

    PeopleRoutes(
            Controller controller,
            Questions questions,
            Access access,
            Roster roster,
            Secrets secrets) {
        this.controller = controller;
        this.questions = questions;
        this.access = access;
        this.roster = roster;
        this.secrets = secrets;
    }

    void me(Call call) {
        call.send(200, body(call.caller()));
    }

    void list(Call call) {
        call.send(
                200, new PersonList(access.everyone().values().stream().map(this::body).toList()));
    }

    private PersonBody body(Caller person) {
        return new PersonBody(
                person.name(),
                person.isAdmin(),
                person.project(),
                person.isViewer() ? true : null,
                roster.isDisabled(person.name()) ? true : null);
    }

    void create(Call call) throws IOException, InterruptedException, Refused, JournalException {
        call.onlyAdmin("make users known");
        PersonRequest request = call.body(PersonRequest.class);
        String project = request.project() == null ? Project.DEFAULT : request.project();
        ProjectRoutes.known(controller, project, "project");
        boolean admin = request.admin() != null && request.admin();
        questions.changing().lockInterruptibly();
        try {
            if (controller.people().containsKey(call.name()))
                throw new Problem(
                        ErrorCode.CONFLICT,
                        call.name() + " is known already; ask for a new token instead");
            var fresh = new Person(call.name(), Token.hash(Token.fresh()), admin, project);
            // Before the person: nobody of this name has a token yet.
            stand(fresh.name(), request);
            giveToken(call, 201, fresh);
        } finally {
            questions.changing().unlock();
        }
    }

    /** Takes up what is said of somebody's standing. */
    private void stand(String name, PersonRequest request) throws JournalException {
        if (request.viewer() != null) roster.setViewer(name, request.viewer());
        if (request.disabled() != null) roster.setDisabled(name, request.disabled());
    }

    void change(Call call) throws IOException, InterruptedException, Refused, JournalException {
        call.onlyAdmin("change users");
        PersonRequest request = call.body(PersonRequest.class);
        questions.changing().lockInterruptibly();
        try {
            Person before = known(call.name());
            if (request.project() != null)
                ProjectRoutes.known(controller, request.project(), "project");
            boolean admin = request.admin() == null ? before.admin() : request.admin();
            if (!admin && access.isOwner(before.name()))
                throw new Problem(
                        ErrorCode.CONFLICT,
                        before.name() + " owns the server and is always an admin");
            boolean endsOwn =
                    request.disabled() != null
                            && request.disabled()
                            && (access.isOwner(before.name())
                                    || before.name().equals(call.caller().name()));
            if (endsOwn)
                throw new Problem(
                        ErrorCode.CONFLICT,
                        "neither the server's owner nor you yourself can be disabled");
            String project = request.project() == null ? before.project() : request.project();
            Person after = before.withAdmin(admin).withProject(project);
            questions.ask(new Message.SetPerson(after, new CompletableFuture<>()));
            stand(after.name(), request);
            call.send(200, body(access.as(after.name())));
        } finally {
            questions.changing().unlock();
        }
    }

    /** The owner is known without a row; nobody gets to see the token of a row made for them. */
    private Person known(String name) {
        Person person = controller.people().get(name);
        if (person != null) return person;
        if (!access.isOwner(name)) throw unknown(name);
        return new Person(name, Token.hash(Token.fresh()), true, Project.DEFAULT);
    }

    private static Problem unknown(String name) {
        return new Problem(ErrorCode.NOT_FOUND, "no user '%.40s'".formatted(name));
    }

    /** The owner stays, so there is always an admin. */
    void delete(Call call) throws InterruptedException, Refused, JournalException {
        call.onlyAdmin("delete users");
        questions.changing().lockInterruptibly();
        try {
            String name = call.name();
            if (access.isOwner(name))
                throw new Problem(
                        ErrorCode.CONFLICT, name + " owns the server and cannot be deleted");
            if (name.equals(call.caller().name()))
                throw new Problem(
                        ErrorCode.CONFLICT,
                        "you are %s and cannot delete yourself; another admin can".formatted(name));
            if (!controller.people().containsKey(name)) throw unknown(name);
            questions.ask(new Message.DeletePerson(name, new CompletableFuture<>()));
            roster.forget(name);
            secrets.forget(Secrets.Holder.PERSON, name);
            call.sendNothing(204);
        } finally {
            questions.changing().unlock();
        }
    }

    /** Everyone may change their own. */
    void token(Call call) throws InterruptedException, Refused {
        if (!call.name().equals(call.caller().name())) call.onlyAdmin("change the token of others");
        questions.changing().lockInterruptibly();
        try {
            Person person = controller.people().get(call.name());
            if (person == null) throw unknown(call.name());
            giveToken(call, 200, person);
        } finally {
            questions.changing().unlock();
        }
    }

    /** Everyone may change their own. */
    void password(Call call) throws IOException, InterruptedException, Refused {
        if (!call.name().equals(call.caller().name()))
            call.onlyAdmin("change the password of others");
        String password = call.body(PasswordRequest.class).password();
        boolean fits =
                password != null
                        && password.length() >= Passwords.CHARS_LEAST
                        && password.length() <= Passwords.CHARS_MAX;
        if (!fits)
            throw Problem.invalid(
                    "password",
                    "password: must have %d to %d characters"
                            .formatted(Passwords.CHARS_LEAST, Passwords.CHARS_MAX));
        // Before the lock: it takes a tenth of a second.
        String hash = Passwords.hash(password);
        questions.changing().lockInterruptibly();
        try {
            Person after = known(call.name()).withPassword(hash);
            questions.ask(new Message.SetPerson(after, new CompletableFuture<>()));
            call.sendNothing(204);
        } finally {
            questions.changing().unlock();
        }
    }

    private void giveToken(Call call, int status, Person person)
            throws InterruptedException, Refused {
        String token = Token.fresh();
        Person after = person.withToken(Token.hash(token));
        questions.ask(new Message.SetPerson(after, new CompletableFuture<>()));
        call.send(status, new TokenAnswer(person.name(), token));
    }
}
