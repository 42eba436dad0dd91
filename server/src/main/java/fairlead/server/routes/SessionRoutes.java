package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.people.SessionBody;
import fairlead.api.people.SessionRequest;
import fairlead.control.Controller;
import fairlead.control.Refused;
import fairlead.job.Person;
import fairlead.server.auth.Access;
import fairlead.server.auth.BrowserAccess;
import fairlead.server.auth.BrowserSessions;
import fairlead.server.auth.Caller;
import fairlead.server.auth.LoginTries;
import fairlead.server.auth.Passwords;
import fairlead.server.auth.Token;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.wire.Json;

import io.helidon.http.HeaderNames;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** Logging in to the portal and out again: the one place where browsers get their session. */
final class SessionRoutes {
    /** A name that is longer is nobody's. */
    private static final int NAME_CHARS_MAX = 32;

    private final Controller controller;
    private final Access access;
    private final BrowserAccess browsers;
    private final Supplier<Instant> clock;
    private final boolean isEncrypted;
    private final LoginTries tries = new LoginTries();

    /**
     * @param isEncrypted whether browsers reach the server by https
     */
    SessionRoutes(
            Controller controller,
            Access access,
            BrowserAccess browsers,
            Supplier<Instant> clock,
            boolean isEncrypted) {
        this.controller = controller;
        this.access = access;
        this.browsers = browsers;
        this.clock = clock;
        this.isEncrypted = isEncrypted;
    }

    void begin(Call call) throws IOException, Refused, InterruptedException {
        SessionRequest request = Json.read(SessionRequest.class, call.shortBody());
        boolean hasToken = request.token() != null && !request.token().isBlank();
        Login login = hasToken ? byToken(request.token().strip()) : byPassword(request);
        call.header(
                HeaderNames.SET_COOKIE_NAME,
                browsers.logIn(login.caller().name(), login.credential(), isEncrypted));
        send(call, 201, login.caller(), clock.get().plus(BrowserSessions.LENGTH));
    }

    /**
     * @param credential the hash of what they have shown
     */
    private record Login(Caller caller, String credential) {}

    private Login byToken(String token) {
        Caller caller =
                access.caller("Bearer " + token)
                        .orElseThrow(
                                () -> new Problem(ErrorCode.UNAUTHORIZED, "the token is wrong"));
        String hash = Token.hash(token);
        // A token that a password was given for ends by itself; it begins no session of its own.
        if (!access.credentials(caller.name()).contains(hash))
            throw new Problem(
                    ErrorCode.UNAUTHORIZED, "this token ends by itself: log in by password");
        return new Login(caller, hash);
    }

    private Login byPassword(SessionRequest request) throws Refused, InterruptedException {
        String name = request.name() == null ? "" : request.name().strip();
        String password = request.password() == null ? "" : request.password();
        if (name.isEmpty() || password.isEmpty())
            throw Problem.invalid("name", "give a name and a password, or a token");
        if (name.length() > NAME_CHARS_MAX || password.length() > Passwords.CHARS_MAX)
            throw wrong();
        if (!tries.begin(name, clock.get()))
            throw new Problem(
                    ErrorCode.BUSY,
                    "too many logins of %s have failed; try again in some minutes".formatted(name));
        Optional<String> kept =
                Optional.ofNullable(controller.people().get(name)).flatMap(Person::passwordHash);
        if (!Passwords.matches(password, kept)) throw wrong();
        tries.succeeded(name);
        return new Login(access.as(name), kept.orElseThrow());
    }

    /** The same for a name that nobody has: who is known here is not for strangers. */
    private static Problem wrong() {
        return new Problem(ErrorCode.UNAUTHORIZED, "the name or the password is wrong");
    }

    /** Lets the session of an open page go on. */
    void renew(Call call) {
        Optional<BrowserSessions.Session> session = browsers.session(cookies(call));
        if (session.isEmpty())
            throw new Problem(ErrorCode.CONFLICT, "only the session of a browser can be renewed");
        String cookie = browsers.renew(session.get(), isEncrypted);
        call.header(HeaderNames.SET_COOKIE_NAME, cookie);
        send(call, 200, call.caller(), clock.get().plus(BrowserSessions.LENGTH));
    }

    /** Who signs out twice is signed out. */
    void end(Call call) {
        call.header(HeaderNames.SET_COOKIE_NAME, browsers.logOut(cookies(call), isEncrypted));
        call.sendNothing(204);
    }

    private static Optional<String> cookies(Call call) {
        return call.request().headers().first(HeaderNames.COOKIE);
    }

    private static void send(Call call, int status, Caller caller, Instant ends) {
        call.send(
                status,
                new SessionBody(
                        caller.name(), caller.isAdmin(), caller.project(), ends.toString()));
    }
}
