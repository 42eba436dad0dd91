package fairlead.engines.azureml.rest;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the errors of Azure ML, of Azure's gateway, of run history and of blob storage. */
final class Failures {
    /** The service asks for its wait in words, without a header. */
    private static final Pattern WAIT = Pattern.compile("after (\\d{1,6}) seconds");

    private static final Duration WAIT_OTHERWISE = Duration.ofSeconds(20);
    private static final Duration WAIT_MAX = Duration.ofMinutes(10);

    private static final Pattern XML_CODE = Pattern.compile("<Code>(\\w+)</Code>");
    private static final int TOO_MANY = 429;
    private static final int DEPTH_MAX = 16;
    private static final int WORDS_MAX = 600;

    private Failures() {}

    static ServiceException of(String what, Answer answer, Optional<String> retryAfter) {
        Doc error = answer.doc().at("error");
        String message = error.at("message").text();
        String code = code(error);
        if (code.isEmpty()) {
            Matcher xml = XML_CODE.matcher(answer.text());
            if (xml.find()) code = xml.group(1);
        }
        var words = new StringBuilder(what).append(": ").append(answer.status());
        if (!code.isEmpty()) words.append(' ').append(code);
        if (!message.isEmpty()) words.append(": ").append(cut(message));
        String operation = operation(answer.doc());
        if (!operation.isEmpty()) words.append(" (operation ").append(operation).append(')');
        var pause =
                answer.status() == TOO_MANY
                        ? Optional.of(pause(message, retryAfter))
                        : Optional.<Duration>empty();
        return new ServiceException(words.toString(), answer.status(), code, pause);
    }

    private static Duration pause(String message, Optional<String> retryAfter) {
        Duration asked = WAIT_OTHERWISE;
        Matcher words = WAIT.matcher(message);
        if (retryAfter.isPresent() && retryAfter.get().matches("\\d{1,6}"))
            asked = Duration.ofSeconds(Long.parseLong(retryAfter.get()));
        else if (words.find()) asked = Duration.ofSeconds(Long.parseLong(words.group(1)));
        return asked.compareTo(WAIT_MAX) < 0 ? asked : WAIT_MAX;
    }

    /** The outer code is mostly UserError; the innermost says what is wrong. */
    private static String code(Doc error) {
        String code = error.at("code").text();
        Doc inner = error.at("innerError");
        for (Doc info : error.at("additionalInfo").list()) {
            if (info.at("type").text().equals("InnerError")) inner = info.at("info", "value");
        }
        for (int depth = 0; depth < DEPTH_MAX && !inner.at("code").text().isEmpty(); depth++) {
            code = inner.at("code").text();
            inner = inner.at("innerError");
        }
        return code;
    }

    /** By which the people of Azure find what happened. */
    private static String operation(Doc answer) {
        for (Doc info : answer.at("error", "additionalInfo").list()) {
            if (info.at("type").text().equals("Correlation"))
                return info.at("info", "value", "operation").text();
        }
        return answer.at("correlation", "operation").text();
    }

    private static String cut(String message) {
        String line = message.strip().replaceAll("\\s+", " ");
        return line.length() <= WORDS_MAX ? line : line.substring(0, WORDS_MAX) + "...";
    }
}
