package fairlead.api.client;

import fairlead.api.json.Wire;
import fairlead.api.people.AuditList;
import fairlead.api.people.LoginRequest;
import fairlead.api.people.SecretList;
import fairlead.api.people.SecretRequest;
import fairlead.api.people.TokenAnswer;
import fairlead.api.people.TokenList;
import fairlead.api.people.TokenRequest;

/** What a server for several people is asked besides: tokens, secrets and the audit. */
public final class TeamCalls {
    private final Client client;

    TeamCalls(Client client) {
        this.client = client;
    }

    /** A token of their own besides; it is shown only here. */
    public Answer<TokenAnswer> createToken(String person, TokenRequest request)
            throws Unreachable, Refused {
        byte[] json = Wire.json(request, TokenRequest.class);
        byte[] body = client.call("POST", tokens(person), json);
        return new Answer<>(body, Wire.type(TokenAnswer.class));
    }

    public Answer<TokenList> personalTokens(String person) throws Unreachable, Refused {
        return client.get(tokens(person), TokenList.class);
    }

    /** It stops working at once. */
    public void revokeToken(String person, String token) throws Unreachable, Refused {
        client.call("DELETE", tokens(person) + "/" + Target.encoded(token), null);
    }

    private static String tokens(String person) {
        return "/v1/people/" + Target.encoded(person) + "/tokens";
    }

    /** A token for a password. */
    public Answer<TokenAnswer> logIn(LoginRequest request) throws Unreachable, Refused {
        byte[] json = Wire.json(request, LoginRequest.class);
        return new Answer<>(client.call("POST", "/v1/login", json), Wire.type(TokenAnswer.class));
    }

    /**
     * Who did what; nulls leave all.
     *
     * @param from a moment such as 2026-11-18T04:00:00Z
     */
    public Answer<AuditList> audit(
            String who, String action, String subject, String from, Integer limit)
            throws Unreachable, Refused {
        var target = new StringBuilder("/v1/audit");
        Target.append(target, "who", who);
        Target.append(target, "action", action);
        Target.append(target, "subject", subject);
        Target.append(target, "from", from);
        Target.append(target, "limit", limit == null ? null : limit.toString());
        return client.get(target.toString(), AuditList.class);
    }

    /**
     * Keeps a value for jobs.
     *
     * @param holder {@code people/NAME} or {@code projects/NAME}
     */
    public void setSecret(String holder, String name, String value) throws Unreachable, Refused {
        byte[] json = Wire.json(new SecretRequest(value), SecretRequest.class);
        client.call("PUT", secrets(holder) + "/" + Target.encoded(name), json);
    }

    public Answer<SecretList> secretNames(String holder) throws Unreachable, Refused {
        return client.get(secrets(holder), SecretList.class);
    }

    public void deleteSecret(String holder, String name) throws Unreachable, Refused {
        client.call("DELETE", secrets(holder) + "/" + Target.encoded(name), null);
    }

    private static String secrets(String holder) {
        return "/v1/" + holder + "/secrets";
    }
}
