package fairlead.server.openpai;

import fairlead.control.Controller;
import fairlead.control.Refused;
import fairlead.job.Person;
import fairlead.server.auth.Access;
import fairlead.server.auth.LoginTries;
import fairlead.server.auth.Logins;
import fairlead.server.auth.Passwords;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Logging in: a name and a password for a token with an end. */
final class TokenRoutes {
    private static final int SECONDS_LEAST = 60;
    private static final int SECONDS_MAX = (int) Duration.ofDays(7).toSeconds();
    private static final int SECONDS = (int) Duration.ofDays(1).toSeconds();

    /** Everyone's, also those whom OpenPAI would have named otherwise. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    private final Controller controller;
    private final Access access;
    private final Logins logins;
    private final LoginTries tries;
    private final Supplier<Instant> clock;

    TokenRoutes(
            Controller controller,
            Access access,
            Logins logins,
            LoginTries tries,
            Supplier<Instant> clock) {
        this.controller = controller;
        this.access = access;
        this.logins = logins;
        this.tries = tries;
        this.clock = clock;
    }

    void logIn(PaiCall call) throws IOException, Refused, InterruptedException {
        Fields fields = call.fields().only("username", "password", "expiration");
        String name = fields.requiredText("username");
        if (!NAME.matcher(name).matches())
            throw PaiProblem.invalid("\"username\" is not a user's name");
        String password = UserRoutes.password(fields.requiredText("password"));
        int seconds = fields.wholeNumber("expiration", SECONDS_LEAST, SECONDS_MAX).orElse(SECONDS);
        Instant now = clock.get();
        if (!tries.begin(name, now))
            throw new PaiProblem(
                    PaiCode.TOO_MANY_REQUESTS,
                    "too many logins of %s have failed; try again in some minutes".formatted(name));
        Optional<Person> person = Optional.ofNullable(controller.people().get(name));
        boolean isRight = Passwords.matches(password, person.flatMap(Person::passwordHash));
        if (person.isEmpty() && !access.isOwner(name))
            throw new PaiProblem(PaiCode.NO_USER, 400, "User %s is not found.".formatted(name));
        if (!isRight) throw new PaiProblem(PaiCode.INCORRECT_PASSWORD, "Password is incorrect.");
        tries.succeeded(name);
        var answer = new LinkedHashMap<String, Object>();
        answer.put("user", name);
        answer.put("token", logins.token(person.get(), now.plusSeconds(seconds)));
        answer.put("admin", access.as(name).isAdmin());
        answer.put("hasGitHubPAT", person.get().hasGitHubPat());
        call.send(200, answer);
    }
}
