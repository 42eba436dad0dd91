package fairlead.cli.terminal;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.client.Refused;

import java.util.List;

/** A server's "no" in words for people, with what to do next. */
public final class Refusal {
    private Refusal() {}

    public static String words(Refused refused) {
        ErrorBody body = refused.body();
        String message = body.message();
        if (refused.is(ErrorCode.AMBIGUOUS)) {
            List<String> matches = body.matches() == null ? List.of() : body.matches();
            return matches.isEmpty() ? message : message + "\n  " + String.join("\n  ", matches);
        }
        // A job may also be there and lack the task that was asked for.
        if (refused.is(ErrorCode.NOT_FOUND) && message.startsWith("no job")) {
            return message + "\n'fairlead list --all' shows all jobs.";
        }
        if (refused.is(ErrorCode.CONFLICT)) return conflict(message);
        if (refused.is(ErrorCode.UNDECIDED)) {
            return message + "\n'fairlead list --all' shows whether it was done.";
        }
        if (refused.is(ErrorCode.UNAUTHORIZED)) {
            return message
                    + "\n"
                    + "The token comes from FAIRLEAD_TOKEN, from 'fairlead login', or from"
                    + " server.json in the server's home.";
        }
        return problem(body);
    }

    private static String conflict(String message) {
        String id = message.substring(0, Math.max(0, message.indexOf(' ')));
        if (message.endsWith(" has already ended"))
            return message + "\n'fairlead resubmit " + id + "' submits the same again.";
        if (message.endsWith(" is still active; abort it first"))
            return message + ": 'fairlead abort " + id + "'";
        return message;
    }

    /**
     * The field in its job, and what is wrong with it; the message may name the field by itself.
     */
    public static String problem(ErrorBody body) {
        if (body.field() == null || body.field().isEmpty()) return body.message();
        String path = path(body.field());
        for (String named : List.of(body.field(), path)) {
            if (body.message().startsWith(named + ": ")) {
                String problem = body.message().substring(named.length() + 2);
                return path.isEmpty() ? problem : path + ": " + problem;
            }
        }
        return path.isEmpty() ? body.message() : path + ": " + body.message();
    }

    /** The path inside its own job, as in a job file. */
    public static String path(String field) {
        return field.replaceFirst("^jobs\\[\\d+]\\.?", "");
    }
}
