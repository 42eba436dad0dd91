package fairlead.server.http;

import fairlead.api.ErrorCode;
import fairlead.api.PersonBody;
import fairlead.api.PersonList;
import fairlead.api.PersonRequest;
import fairlead.api.TokenAnswer;
import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.auth.Token;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/** Who is known here. */
final class PeopleRoutes {
    private final Controller controller;
    private final Questions questions;
    private final Access access;

    /** From the look at a person to the answer, so that no two changes of one meet. */
    private final ReentrantLock changing = new ReentrantLock();

    PeopleRoutes(Controller controller, Questions questions, Access access) {
        this.controller = controller;
        this.questions = questions;
        this.access = access;
    }

    void me(Call call) {
        call.send(200, body(call.caller()));
    }

    void list(Call call) {
        call.send(
                200,
                new PersonList(
                        access.everyone().values().stream().map(PeopleRoutes::body).toList()));
    }

    private static PersonBody body(Caller person) {
        return new PersonBody(person.name(), person.isAdmin(), person.project());
    }

    void create(Call call) throws IOException, InterruptedException, Refused {
        call.onlyAdmin("make users known");
        PersonRequest request = call.body(PersonRequest.class);
        String project = request.project() == null ? Project.DEFAULT : request.project();
        ProjectRoutes.known(controller, project, "project");
        boolean admin = request.admin() != null && request.admin();
        changing.lockInterruptibly();
        try {
            if (controller.people().containsKey(call.name()))
                throw new Problem(
                        ErrorCode.CONFLICT,
                        call.name() + " is known already; ask for a new token instead");
            giveToken(call, 201, admin, project);
        } finally {
            changing.unlock();
        }
    }

    /** Everyone may change their own. */
    void token(Call call) throws InterruptedException, Refused {
        if (!call.name().equals(call.caller().name())) call.onlyAdmin("change the token of others");
        changing.lockInterruptibly();
        try {
            Person person = controller.people().get(call.name());
            if (person == null)
                throw new Problem(ErrorCode.NOT_FOUND, "no user '%.40s'".formatted(call.name()));
            giveToken(call, 200, person.admin(), person.project());
        } finally {
            changing.unlock();
        }
    }

    private void giveToken(Call call, int status, boolean admin, String project)
            throws InterruptedException, Refused {
        String token = Token.fresh();
        var person = new Person(call.name(), Token.hash(token), admin, project);
        questions.ask(new Message.SetPerson(person, new CompletableFuture<>()));
        call.send(status, new TokenAnswer(person.name(), token));
    }
}
