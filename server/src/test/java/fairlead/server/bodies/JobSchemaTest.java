package fairlead.server.bodies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.OriginBody;
import fairlead.api.spec.RetryBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.api.spec.TrainingBody;
import fairlead.job.Limits;
import fairlead.job.SpecException;
import fairlead.wire.Json;
import fairlead.wire.Specs;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The published schema says what the records and the reader of specs say. */
class JobSchemaTest {
    private static final Specs.Defaults DEFAULTS =
            new Specs.Defaults("ann", "default", "/home/ann", false, "local");
    private final Map<String, Object> schema = schema();

    @Test
    void itIsOfTheDraftThatEditorsKnow() {
        assertEquals("https://json-schema.org/draft/2020-12/schema", schema.get("$schema"));
    }

    @Test
    void itsFieldsAreThoseOfTheRecords() {
        assertFields(SpecBody.class, schema);
        assertFields(RoleBody.class, role());
        assertFields(TrainingBody.class, training());
        assertFields(ContainerBody.class, definition("container"));
        Map<String, Object> properties = JsonTree.object(schema.get("properties"));
        assertFields(RetryBody.class, JsonTree.object(properties.get("retry")));
        assertFields(OriginBody.class, JsonTree.object(properties.get("origin")));
    }

    private void assertFields(Class<?> type, Map<String, Object> object) {
        Map<String, Object> properties = JsonTree.object(object.get("properties"));
        List<RecordComponent> components = List.of(type.getRecordComponents());
        assertEquals(
                components.stream().map(RecordComponent::getName).collect(Collectors.toSet()),
                properties.keySet());
        assertEquals("object", object.get("type"));
        assertEquals(false, object.get("additionalProperties"));
        for (RecordComponent component : components) {
            Map<String, Object> property = resolved(properties.get(component.getName()));
            assertEquals(kind(component), kinds(property), component.toString());
            assertTrue(property.get("description").toString().endsWith("."), component.toString());
        }
    }

    private static Set<String> kind(RecordComponent component) {
        if (component.getName().equals("pod")) return Set.of("object of object");
        if (component.getName().equals("gpu")) return Set.of("number", "string");
        return switch (component.getGenericType().getTypeName()) {
            case "java.lang.String" -> Set.of("string");
            case "java.lang.Integer", "java.lang.Long" -> Set.of("integer");
            case "java.lang.Boolean" -> Set.of("boolean");
            case "java.util.List<java.lang.String>" ->
                    component.getName().equals("command")
                            ? Set.of("string", "array of string")
                            : Set.of("array of string");
            case "fairlead.api.spec.TrainingBody",
                    "fairlead.api.spec.ContainerBody",
                    "fairlead.api.spec.RetryBody",
                    "fairlead.api.spec.OriginBody" ->
                    Set.of("object of fields");
            case "java.util.List<fairlead.api.spec.RoleBody>",
                    "java.util.List<fairlead.api.spec.AfterBody>" ->
                    Set.of("array of object");
            case "java.util.Map<java.lang.String, java.lang.String>" -> Set.of("object of string");
            default -> throw new AssertionError("no JSON type for " + component);
        };
    }

    private Set<String> kinds(Map<String, Object> property) {
        if (property.get("oneOf") instanceof List<?> choices) {
            return choices.stream()
                    .flatMap(choice -> kinds(JsonTree.object(choice)).stream())
                    .collect(Collectors.toSet());
        }
        String type = (String) property.get("type");
        return switch (type) {
            case "array" -> Set.of("array of " + resolved(property.get("items")).get("type"));
            case "object" ->
                    property.containsKey("properties")
                            ? Set.of("object of fields")
                            : Set.of(
                                    "object of "
                                            + resolved(property.get("additionalProperties"))
                                                    .get("type"));
            default -> Set.of(type);
        };
    }

    @Test
    void whatItRequiresOfARoleTheReaderRequires() {
        assertEquals(List.of("name"), role().get("required"));
        assertThrows(SpecException.class, () -> read("{\"roles\":[{\"name\":\"a\"}]}"));
        assertThrows(SpecException.class, () -> read("{\"roles\":[{\"command\":\"a\"}]}"));
        read("{\"roles\":[{\"name\":\"a\",\"command\":\"a\"}]}");
    }

    @Test
    void whatItRequiresOfATrainingTheReaderRequires() {
        assertEquals(List.of("epochs"), training().get("required"));
        assertThrows(SpecException.class, () -> read("{\"command\":\"a\",\"training\":{}}"));
        read("{\"command\":\"a\",\"training\":{\"epochs\":1}}");
    }

    @Test
    void itAllowsEitherFormAndTheReaderToo() {
        List<?> forms = (List<?>) schema.get("oneOf");
        List<?> ways = (List<?>) JsonTree.object(forms.get(0)).get("anyOf");
        assertEquals(List.of("command"), JsonTree.object(ways.get(0)).get("required"));
        assertEquals(List.of("container"), JsonTree.object(ways.get(1)).get("required"));
        read("{\"image\":\"a\",\"container\":{\"entrypoint\":true}}");
        assertThrows(SpecException.class, () -> read("{\"image\":\"a\",\"container\":{}}"));
        assertEquals(List.of("roles"), JsonTree.object(forms.get(1)).get("required"));
        var besideRoles = JsonTree.object(JsonTree.object(forms.get(1)).get("properties"));
        for (String field : besideRoles.keySet()) {
            String value = Set.of("gpus", "cpus").contains(field) ? "1" : "\"1\"";
            String body = "{\"%s\":%s,\"roles\":[{\"name\":\"a\",\"command\":\"a\"}]}";
            assertThrows(SpecException.class, () -> read(body.formatted(field, value)), field);
        }
    }

    @Test
    void itsBoundsAreThoseOfCore() {
        assertBounds("priority", schema, -Limits.PRIORITY_MAX, Limits.PRIORITY_MAX);
        assertBounds("retries", schema, 0, Limits.RETRIES_MAX);
        assertBounds("gpus", schema, 0, Limits.GPUS_PER_TASK_MAX);
        assertBounds("cpus", schema, 0, Limits.CPUS_PER_TASK_MAX);
        assertBounds("count", role(), 1, Limits.TASKS_PER_JOB_MAX);
        var properties = JsonTree.object(schema.get("properties"));
        assertEquals(
                BigDecimal.valueOf(Limits.ROLES_PER_JOB_MAX),
                JsonTree.object(properties.get("roles")).get("maxItems"));
        assertEquals(
                BigDecimal.valueOf(Limits.ENVIRONMENT_ENTRIES_MAX),
                JsonTree.object(properties.get("env")).get("maxProperties"));
    }

    private void assertBounds(String field, Map<String, Object> object, int least, int most) {
        var property = resolved(JsonTree.object(object.get("properties")).get(field));
        assertEquals(BigDecimal.valueOf(least), property.get("minimum"), field);
        assertEquals(BigDecimal.valueOf(most), property.get("maximum"), field);
    }

    @Test
    void itsPatternsTakeWhatTheReaderTakes() {
        assertPattern("time", List.of("90s", "1h30m", "2d"), List.of("", "90", "1.5h", "30m1h"));
        assertPattern(
                "memory", List.of("0", "512M", "8GiB", "1t"), List.of("", "G", "8GB", "1.5G"));
        assertPattern("gpuMemory", List.of("100M", "8GiB", "1t"), List.of("", "G", "8GB", "1.5G"));
        assertPattern("workdir", List.of("/", "/data"), List.of("data", "~"));
        assertPattern("name", List.of("a", "mnist-1.2"), List.of("", "-a", "a b", "a".repeat(64)));
        assertPattern("user", List.of("bob", "_www"), List.of("", "1a", "a b"));
    }

    private void assertPattern(String field, List<String> good, List<String> bad) {
        var property = resolved(JsonTree.object(schema.get("properties")).get(field));
        String pattern = (String) property.get("pattern");
        for (String value : good) {
            assertTrue(java.util.regex.Pattern.compile(pattern).matcher(value).find(), value);
            read("{\"command\":\"a\",\"%s\":\"%s\"}".formatted(field, value));
        }
        for (String value : bad) {
            assertTrue(!java.util.regex.Pattern.compile(pattern).matcher(value).find(), value);
            String body = "{\"command\":\"a\",\"%s\":\"%s\"}".formatted(field, value);
            assertThrows(SpecException.class, () -> read(body), value);
        }
    }

    private Map<String, Object> role() {
        return definition("role");
    }

    private Map<String, Object> training() {
        return definition("training");
    }

    private Map<String, Object> definition(String name) {
        return JsonTree.object(JsonTree.object(schema.get("$defs")).get(name));
    }

    /** Follows a reference into the definitions. */
    private Map<String, Object> resolved(Object property) {
        Map<String, Object> object = JsonTree.object(property);
        if (!(object.get("$ref") instanceof String reference)) return object;
        String name = Arrays.asList(reference.split("/")).getLast();
        return JsonTree.object(JsonTree.object(schema.get("$defs")).get(name));
    }

    private static void read(String body) {
        Specs.read(Json.read(SpecBody.class, body), DEFAULTS);
    }

    private static Map<String, Object> schema() {
        try (var stream = Specs.class.getResourceAsStream("/fairlead/server/job.schema.json")) {
            return JsonTree.object(JsonTree.read(new String(stream.readAllBytes(), UTF_8)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
