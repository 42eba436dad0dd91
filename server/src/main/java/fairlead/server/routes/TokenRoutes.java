package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.people.TokenAnswer;
import fairlead.api.people.TokenBody;
import fairlead.api.people.TokenList;
import fairlead.api.people.TokenRequest;
import fairlead.journal.JournalException;
import fairlead.server.auth.Access;
import fairlead.server.auth.Roster;
import fairlead.server.auth.Scope;
import fairlead.server.auth.Token;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The tokens of people besides their first: made, shown once, listed, revoked. */
final class TokenRoutes {
    /** Ten years: longer ones are meant to have no end. */
    private static final int DAYS_MAX = 3_650;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final Access access;
    private final Roster roster;
    private final Supplier<Instant> clock;

    TokenRoutes(Access access, Roster roster, Supplier<Instant> clock) {
        this.access = access;
        this.roster = roster;
        this.clock = clock;
    }

    void list(Call call) {
        onlyOwn(call, "see the tokens of others");
        call.send(
                200,
                new TokenList(roster.tokens(call.name()).stream().map(TokenRoutes::body).toList()));
    }

    private static TokenBody body(Roster.PersonalToken token) {
        return new TokenBody(
                token.name(),
                token.scope().word(),
                token.created().toString(),
                token.expires().map(Instant::toString).orElse(null));
    }

    void create(Call call) throws IOException, InterruptedException, JournalException {
        onlyOwn(call, "make tokens for others");
        String person = call.name();
        if (!access.everyone().containsKey(person))
            throw new Problem(ErrorCode.NOT_FOUND, "no user '%.40s'".formatted(person));
        TokenRequest request = call.body(TokenRequest.class);
        String word = request.scope() == null ? Scope.SUBMIT.word() : request.scope();
        Scope scope =
                Scope.of(word)
                        .orElseThrow(
                                () ->
                                        Problem.invalid(
                                                "scope",
                                                "scope: must be read, submit or admin, but is"
                                                        + " '%.40s'".formatted(word)));
        String token = made(roster, person, request.name(), scope, request.days(), clock.get());
        call.send(201, new TokenAnswer(person, token));
    }

    /** A new token, which is kept as its hash alone. */
    static String made(
            Roster roster, String person, String name, Scope scope, Integer days, Instant now)
            throws JournalException {
        if (name == null || !NAME.matcher(name).matches())
            throw Problem.invalid(
                    "name",
                    "name: a token is called by letters, digits and any of '._-', but is '%.80s'"
                            .formatted(name));
        if (days != null && (days < 1 || days > DAYS_MAX))
            throw Problem.invalid("days", "days: must be 1 to " + DAYS_MAX);
        boolean isKnown = roster.tokens(person).stream().anyMatch(each -> each.name().equals(name));
        if (isKnown)
            throw new Problem(ErrorCode.CONFLICT, "there is a token called " + name + " already");
        if (roster.tokens(person).size() >= Roster.TOKENS_MAX)
            throw new Problem(
                    ErrorCode.CONFLICT,
                    "%s has %d tokens, which is the most; revoke some"
                            .formatted(person, Roster.TOKENS_MAX));
        String token = Token.fresh();
        Optional<Instant> expires =
                Optional.ofNullable(days).map(count -> now.plus(Duration.ofDays(count)));
        roster.keep(new Roster.PersonalToken(person, name, Token.hash(token), scope, now, expires));
        return token;
    }

    void revoke(Call call) throws JournalException {
        onlyOwn(call, "revoke the tokens of others");
        String name = call.inPath("token").orElseThrow();
        boolean isKnown =
                roster.tokens(call.name()).stream().anyMatch(each -> each.name().equals(name));
        if (!isKnown)
            throw new Problem(
                    ErrorCode.NOT_FOUND,
                    "%.40s has no token called '%.80s'".formatted(call.name(), name));
        roster.revoke(call.name(), name);
        call.sendNothing(204);
    }

    private static void onlyOwn(Call call, String what) {
        if (!call.name().equals(call.caller().name())) call.onlyAdmin(what);
    }
}
