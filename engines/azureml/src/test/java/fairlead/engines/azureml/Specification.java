package fairlead.engines.azureml;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;

import fairlead.engines.azureml.rest.Doc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Azure's specification of the calls that we make: what it does not allow is refused. */
final class Specification {
    private static final String VERSION = "2024-10-01";

    private record Operation(
            String method,
            Pattern path,
            boolean isHistory,
            List<Doc> query,
            Optional<JsonSchema> body) {}

    private final List<Operation> operations = new ArrayList<>();

    static Specification read() throws IOException {
        try (var in = Specification.class.getResourceAsStream("specification.json")) {
            return new Specification(Doc.parse(new String(in.readAllBytes(), UTF_8)));
        }
    }

    private Specification(Doc all) {
        var factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7);
        for (Doc each : all.at("operations").list()) {
            String path = each.at("path").text();
            Optional<JsonSchema> body = Optional.empty();
            if (each.at("body").value() != null) {
                var schema = new LinkedHashMap<String, Object>();
                schema.put("definitions", all.at("definitions").value());
                schema.put("allOf", List.of(each.at("body").value()));
                body = Optional.of(factory.getSchema(Doc.text(schema)));
            }
            operations.add(
                    new Operation(
                            each.at("method").text(),
                            Pattern.compile(path.replaceAll("\\{\\w+}", "[A-Za-z0-9_-]+")),
                            path.startsWith("/history"),
                            each.at("query").list(),
                            body));
        }
    }

    /** What is wrong with a call; empty when the specification allows it. */
    List<String> mistakes(String method, String path, String query, String body) {
        for (Operation each : operations) {
            if (!each.method().equals(method) || !each.path().matcher(path).matches()) continue;
            var mistakes = new ArrayList<String>();
            checkQuery(each, query, mistakes);
            if (each.body().isEmpty()) {
                if (!body.isEmpty()) mistakes.add("has a body: " + body);
            } else {
                each.body()
                        .get()
                        .validate(body, InputFormat.JSON)
                        .forEach(problem -> mistakes.add(problem.toString()));
            }
            return mistakes;
        }
        return List.of("no such call");
    }

    private static void checkQuery(Operation operation, String query, List<String> mistakes) {
        Map<String, String> given = parts(query);
        String version = given.remove("api-version");
        if (operation.isHistory() ? version != null : !VERSION.equals(version))
            mistakes.add("api-version is " + version);
        for (Doc each : operation.query()) {
            String name = each.at("name").text();
            String value = given.remove(name);
            List<Object> values = each.at("values").list().stream().map(Doc::value).toList();
            if (value != null && !values.isEmpty() && !values.contains(value))
                mistakes.add(name + " is " + value);
        }
        if (!given.isEmpty()) mistakes.add("unknown in the query: " + given);
    }

    static Map<String, String> parts(String query) {
        var parts = new HashMap<String, String>();
        for (String part : query.split("&")) {
            if (part.isEmpty()) continue;
            int at = part.indexOf('=');
            parts.put(part.substring(0, at), part.substring(at + 1));
        }
        return parts;
    }
}
