package fairlead.engines.kubernetes;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One request to an API server, in the words of its access rules.
 *
 * @param verb get, list, watch, create, update, patch, delete or deletecollection
 * @param group empty: the core group
 * @param resource the plural, with the subresource after a slash
 * @param namespace empty: none, or all
 * @param name empty: of a whole collection
 */
public record ApiCall(
        String verb,
        String group,
        String version,
        String resource,
        String namespace,
        String name,
        String query) {
    /** What is asked for by the method and the target of an HTTP request. */
    public static ApiCall of(String method, String target) {
        int mark = target.indexOf('?');
        String query = mark < 0 ? "" : target.substring(mark + 1);
        var parts =
                new ArrayList<>(
                        Arrays.stream((mark < 0 ? target : target.substring(0, mark)).split("/"))
                                .filter(part -> !part.isEmpty())
                                .map(ApiCall::decoded)
                                .toList());
        String root = parts.isEmpty() ? "" : parts.removeFirst();
        // No resource: what stands beside the API, such as /version.
        if (!root.startsWith("api"))
            return new ApiCall("get", "", "", "/" + root, "", String.join("/", parts), query);
        String group = root.equals("apis") && !parts.isEmpty() ? parts.removeFirst() : "";
        String version = parts.isEmpty() ? "" : parts.removeFirst();
        String namespace = "";
        boolean inside = parts.size() > 2 && parts.get(0).equals("namespaces");
        if (inside && !List.of("status", "finalize").contains(parts.get(2))) {
            namespace = parts.get(1);
            parts.subList(0, 2).clear();
        }
        String resource = parts.isEmpty() ? "" : parts.get(0);
        String name = parts.size() < 2 ? "" : parts.get(1);
        if (parts.size() > 2) resource += "/" + parts.get(2);
        return new ApiCall(
                verb(method, name, query), group, version, resource, namespace, name, query);
    }

    private static String verb(String method, String name, String query) {
        return switch (method) {
            case "GET" -> {
                if (!name.isEmpty()) yield "get";
                String watch = value(query, "watch");
                yield watch.equals("true") || watch.equals("1") ? "watch" : "list";
            }
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
            default -> method.toLowerCase(java.util.Locale.ROOT);
        };
    }

    /** The plural alone. */
    String plural() {
        int slash = resource.indexOf('/');
        return slash < 0 ? resource : resource.substring(0, slash);
    }

    /** Empty: the object itself. */
    String subresource() {
        int slash = resource.indexOf('/');
        return slash < 0 ? "" : resource.substring(slash + 1);
    }

    /** The path of the object, or of the collection, without a subresource and a query. */
    String path() {
        return (group.isEmpty() ? "/api/" : "/apis/" + group + "/")
                + version
                + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
                + "/"
                + plural()
                + (name.isEmpty() ? "" : "/" + name);
    }

    /** The same for an object of the same kind. */
    ApiCall named(String otherNamespace, String otherName) {
        return new ApiCall(verb, group, version, plural(), otherNamespace, otherName, "");
    }

    /** The first value of a parameter of the query; empty when there is none. */
    String parameter(String key) {
        return value(query, key);
    }

    /** All values of a parameter of the query, in order. */
    List<String> parameters(String key) {
        return Arrays.stream(query.split("&"))
                .filter(each -> each.startsWith(key + "="))
                .map(each -> decoded(each.substring(key.length() + 1)))
                .toList();
    }

    private static String value(String query, String key) {
        for (String each : query.split("&")) {
            if (each.startsWith(key + "=")) return decoded(each.substring(key.length() + 1));
        }
        return "";
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
