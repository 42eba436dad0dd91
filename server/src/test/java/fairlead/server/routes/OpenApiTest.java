package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;
import fairlead.server.http.Route;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The served description says what the routes and the records are. */
final class OpenApiTest {
    private static final Pattern WIRE_RECORD =
            Pattern.compile("\\w+(Body|Request|Report|Answer|Page|Detail|List)");

    @TempDir Path folder;

    @Test
    void everyRouteIsDescribedWithItsParametersAndItsNeedOfAToken() throws Exception {
        try (var server = new TestServer(folder)) {
            var described = new TreeSet<String>();
            var routed = new TreeSet<String>();
            for (Route<?> route : server.front().table()) {
                routed.add(
                        line(
                                route.method(),
                                route.path(),
                                new TreeSet<>(route.parameters()),
                                route.door() == Route.Door.OPEN));
            }
            var document = JsonTree.object(JsonTree.read(server.get("/v1/openapi.json").body()));
            JsonTree.object(document.get("paths"))
                    .forEach(
                            (path, operations) ->
                                    JsonTree.object(operations)
                                            .forEach(
                                                    (method, operation) ->
                                                            described.add(
                                                                    line(
                                                                            method.toUpperCase(
                                                                                    Locale.ROOT),
                                                                            path,
                                                                            parameters(operation),
                                                                            isOpen(operation)))));
            assertEquals(String.join("\n", routed), String.join("\n", described));
        }
    }

    private static String line(String method, String path, Set<String> parameters, boolean open) {
        return method + " " + path + " " + parameters + (open ? " open" : "");
    }

    private static Set<String> parameters(Object operation) {
        var names = new TreeSet<String>();
        Object list = JsonTree.object(operation).getOrDefault("parameters", List.of());
        for (Object each : (List<?>) list) {
            Map<String, Object> parameter = JsonTree.object(each);
            if ("query".equals(parameter.get("in"))) names.add((String) parameter.get("name"));
        }
        return names;
    }

    private static boolean isOpen(Object operation) {
        return List.of().equals(JsonTree.object(operation).get("security"));
    }

    @Test
    void everyRecordOfTheWireIsDescribedWithItsFieldsAndTheirTypes() throws Exception {
        var described = new TreeMap<String, String>();
        schemas()
                .forEach(
                        (name, schema) -> {
                            var fields = new TreeMap<String, String>();
                            JsonTree.object(JsonTree.object(schema).get("properties"))
                                    .forEach((field, type) -> fields.put(field, described(type)));
                            described.put(name, fields.toString());
                        });
        var written = new TreeMap<String, String>();
        for (Class<?> record : wireRecords()) {
            var fields = new TreeMap<String, String>();
            for (var component : record.getRecordComponents())
                fields.put(
                        component.getName(),
                        component.getName().equals("command") && record != JobBody.class
                                ? "text or array"
                                : component.getName().equals("gpu")
                                        ? "text or number"
                                        : kind(component.getType()));
            written.put(record.getSimpleName(), fields.toString());
        }
        assertEquals(lines(written), lines(described));
    }

    private static String lines(Map<String, String> map) {
        return map.entrySet().stream().map(Object::toString).collect(Collectors.joining("\n"));
    }

    private static String described(Object type) {
        Map<String, Object> schema = JsonTree.object(type);
        if (schema.containsKey("$ref")) return "object";
        if (schema.get("oneOf") instanceof List<?> choices)
            return "text or " + JsonTree.object(choices.getLast()).get("type");
        return (String) schema.get("type");
    }

    private static String kind(Class<?> type) {
        if (type == String.class) return "string";
        if (type == boolean.class || type == Boolean.class) return "boolean";
        if (type == double.class || type == Double.class) return "number";
        if (List.class.isAssignableFrom(type)) return "array";
        boolean isNumber = Set.of(int.class, long.class, Integer.class, Long.class).contains(type);
        return isNumber ? "integer" : "object";
    }

    @Test
    void everyErrorCodeIsDescribed() throws Exception {
        Object code =
                JsonTree.object(JsonTree.object(schemas().get("ErrorBody")).get("properties"))
                        .get("code");
        var described = new TreeSet<Object>((List<?>) JsonTree.object(code).get("enum"));
        var known = new TreeSet<Object>();
        for (ErrorCode each : ErrorCode.values()) known.add(each.word());
        assertEquals(known, described);
    }

    @Test
    void everyReferenceLeadsSomewhere() throws Exception {
        String text = document();
        var matcher = Pattern.compile("\"#/components/(\\w+)/(\\w+)\"").matcher(text);
        var components = JsonTree.object(JsonTree.object(JsonTree.read(text)).get("components"));
        int found = 0;
        for (; matcher.find(); found++) {
            var kind = JsonTree.object(components.get(matcher.group(1)));
            assertTrue(kind.containsKey(matcher.group(2)), matcher.group());
        }
        assertTrue(found > 20, "found " + found);
    }

    private static Map<String, Object> schemas() throws Exception {
        var document = JsonTree.object(JsonTree.read(document()));
        return JsonTree.object(JsonTree.object(document.get("components")).get("schemas"));
    }

    private static String document() throws Exception {
        try (var in = OpenApiTest.class.getResourceAsStream("/fairlead/server/openapi.json")) {
            return new String(in.readAllBytes());
        }
    }

    /** Found in the api module itself, so that a new one cannot be forgotten here. */
    private static List<Class<?>> wireRecords() throws Exception {
        URI source = JobBody.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        var names = new ArrayList<String>();
        if (source.getPath().endsWith(".jar")) {
            try (var jar = FileSystems.newFileSystem(new File(source).toPath())) {
                names.addAll(names(jar.getPath("fairlead/api")));
            }
        } else {
            names.addAll(names(Path.of(source).resolve("fairlead/api")));
        }
        var records = new ArrayList<Class<?>>();
        for (String name : names) {
            Class<?> type = Class.forName("fairlead.api." + name);
            if (type.isRecord() && WIRE_RECORD.matcher(type.getSimpleName()).matches())
                records.add(type);
        }
        assertTrue(records.size() > 15, Arrays.toString(records.toArray()));
        return records;
    }

    /** With those of the packages below it. */
    private static List<String> names(Path folder) throws Exception {
        try (var files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString().replace('/', '.'))
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - 6))
                    .toList();
        }
    }
}
