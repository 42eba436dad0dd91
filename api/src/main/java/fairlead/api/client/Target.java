package fairlead.api.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Paths of the interface, with their queries. */
final class Target {
    private Target() {}

    static String path(String id, String rest) {
        return "/v1/jobs/" + encoded(id) + rest;
    }

    static String listPath(JobFilter filter) {
        var target = new StringBuilder("/v1/jobs");
        append(target, "state", filter.state());
        append(target, "owner", filter.owner());
        append(target, "array", filter.array());
        append(target, "cluster", filter.cluster());
        append(target, "limit", filter.limit());
        append(target, "before", filter.before());
        append(target, "arrays", filter.arraysOnce() ? "once" : null);
        return target.toString();
    }

    static String logPath(String id, LogQuery query, boolean follow) {
        var target = new StringBuilder(path(id, "/logs"));
        append(target, "task", query.task());
        append(target, "attempt", query.attempt());
        append(target, "tail", query.tail());
        if (follow) append(target, "follow", true);
        return target.toString();
    }

    static void append(StringBuilder target, String name, Object value) {
        if (value == null) return;
        target.append(target.indexOf("?") < 0 ? '?' : '&').append(name).append('=');
        target.append(encoded(value.toString()));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
