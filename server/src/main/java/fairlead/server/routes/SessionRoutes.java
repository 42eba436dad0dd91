package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.people.LoginRequest;
import fairlead.api.people.SessionBody;
import fairlead.api.people.SessionRequest;
import fairlead.api.people.TokenAnswer;
import fairlead.control.Controller;
import fairlead.control.Refused;
import fairlead.job.Person;
import fairlead.journal.JournalException;
import fairlead.server.auth.Access;
import fairlead.server.auth.BrowserAccess;
import fairlead.server.auth.BrowserSessions;
import fairlead.server.auth.Caller;
import fairlead.server.auth.LoginTries;
import fairlead.server.auth.Passwords;
import fairlead.server.auth.Roster;
import fairlead.server.auth.Scope;
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

    /** Whole labs come from one address. */
    private static final int TRIES_OF_ADDRESS_MAX = 100;

    /** A command's login; then its user types the password again. */
    private static final int LOGIN_DAYS = 90;

    private final Controller controller;
    private final Access access;
    private final BrowserAccess browsers;
    private final Roster roster;
    private final Supplier<Instant> clock;
    private final boolean isEncrypted;
    private final LoginTries tries = new LoginTries();
    private final LoginTries addresses = new LoginTries(TRIES_OF_ADDRESS_MAX);

    /**
     * @param isEncrypted whether browsers reach the server by https, whatever it sees itself
     */
    SessionRoutes(
            Controller controller,
            Access access,
            BrowserAccess browsers,
            Roster roster,
            Supplier<Instant> clock,
            boolean isEncrypted) {
        this.controller = controller;
        this.access = access;
        this.browsers = browsers;
        this.roster = roster;
        this.clock = clock;
        this.isEncrypted = isEncrypted;
    }

    void begin(Call call) throws IOException, Refused, InterruptedException {
        SessionRequest request = Json.read(SessionRequest.class, call.shortBody());
        boolean hasToken = request.token() != null && !request.token().isBlank();
        Login login =
                hasToken
                        ? byToken(request.token().strip())
                        : byPassword(call, request.name(), request.password());
        call.header(
                HeaderNames.SET_COOKIE_NAME,
                browsers.logIn(login.caller().name(), login.credential(), isEncrypted(call)));
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

    /** Gives a command a token for a password. */
    void logIn(Call call) throws IOException, Refused, InterruptedException, JournalException {
        LoginRequest request = Json.read(LoginRequest.class, call.shortBody());
        String name = byPassword(call, request.name(), request.password()).caller().name();
        Instant now = clock.get();
        // Each login has a token of its own; those that are over make room.
        for (Roster.PersonalToken each : roster.tokens(name))
            if (each.expires().filter(end -> !now.isBefore(end)).isPresent())
                roster.revoke(name, each.name());
        String token =
                TokenRoutes.made(roster, name, request.tokenName(), Scope.ADMIN, LOGIN_DAYS, now);
        call.send(201, new TokenAnswer(name, token));
    }

    private Login byPassword(Call call, String nameSaid, String passwordSaid)
            throws Refused, InterruptedException {
        String name = nameSaid == null ? "" : nameSaid.strip();
        String password = passwordSaid == null ? "" : passwordSaid;
        if (name.isEmpty() || password.isEmpty())
            throw Problem.invalid("name", "give a name and a password, or a token");
        if (name.length() > NAME_CHARS_MAX || password.length() > Passwords.CHARS_MAX)
            throw wrong();
        call.about(name);
        if (!tries.begin(name, clock.get()))
            throw new Problem(
                    ErrorCode.BUSY,
                    "too many logins of %s have failed; try again in some minutes".formatted(name));
        String address = call.address();
        if (!addresses.begin(address, clock.get()))
            throw new Problem(
                    ErrorCode.BUSY,
                    "too many logins from %s have failed; try again in some minutes"
                            .formatted(address));
        Optional<String> kept =
                Optional.ofNullable(controller.people().get(name)).flatMap(Person::passwordHash);
        if (!Passwords.matches(password, kept) || roster.isDisabled(name)) throw wrong();
        tries.succeeded(name);
        addresses.forgive(address);
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
        String cookie = browsers.renew(session.get(), isEncrypted(call));
        call.header(HeaderNames.SET_COOKIE_NAME, cookie);
        send(call, 200, call.caller(), clock.get().plus(BrowserSessions.LENGTH));
    }

    /** Who signs out twice is signed out. */
    void end(Call call) {
        call.header(HeaderNames.SET_COOKIE_NAME, browsers.logOut(cookies(call), isEncrypted(call)));
        call.sendNothing(204);
    }

    private boolean isEncrypted(Call call) {
        return isEncrypted || call.request().isSecure();
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
