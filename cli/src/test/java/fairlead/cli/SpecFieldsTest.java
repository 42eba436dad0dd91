package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.json.StrictReader;
import fairlead.api.spec.AfterBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.cli.spec.SpecFile;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.UsageException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** What a job file may say follows from the records: nobody lists their fields again. */
class SpecFieldsTest {
    @Test
    void everyFieldOfTheRecordsIsReadAndPrinted() throws UsageException {
        String json = json(SpecBody.class);
        SpecBody wanted = SpecBody.read(new StrictReader(json));
        SpecBody read = SpecFile.read("a", json).getFirst().body();
        assertEquals(wanted, read);
        // A policy stands instead of the count.
        SpecBody printed = SpecFile.read("a", SpecYaml.of(read)).getFirst().body();
        assertEquals(wanted.with(edit -> edit.retries = null), printed);
    }

    private static String json(Class<?> type) {
        var fields = new StringJoiner(",", "{", "}");
        for (RecordComponent each : type.getRecordComponents()) {
            fields.add("\"" + each.getName() + "\":" + value(each));
        }
        return fields.toString();
    }

    private static String value(RecordComponent component) {
        String name = component.getName();
        return switch (component.getGenericType().getTypeName()) {
            case "java.lang.String" -> name.equals("gpu") ? "0.5" : "\"" + name + "\"";
            case "java.lang.Integer", "java.lang.Long" -> "" + name.hashCode();
            case "java.lang.Boolean" -> "true";
            case "java.util.List<java.lang.String>" -> "[\"" + name + "\",\"\"]";
            case "java.util.Map<java.lang.String, java.lang.String>" -> "{\"" + name + "\":\"7\"}";
            case "java.util.Map<java.lang.String, java.lang.Object>" ->
                    "{\"" + name + "\":{\"" + name + "\":\"7\"}}";
            case "java.util.List<fairlead.api.spec.RoleBody>" -> "[" + json(RoleBody.class) + "]";
            case "java.util.List<fairlead.api.spec.AfterBody>" -> "[" + json(AfterBody.class) + "]";
            default -> json(component.getType());
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "training:~  epoch: 1          | a:2: training has no field 'epoch'. Did you mean"
                        + " 'epochs'?",
                "retry: {limits: 1}            | a:1: retry has no field 'limits'. Did you mean"
                        + " 'limit'?",
                "retry:~  exits:~    1:        | a:3: retry.exits.1: has no value",
                "gpu: [1]                      | a:1: gpu: must be a number",
                "mounts: /data                 | a:1: mounts: must be a list of texts",
                "gpus: 99999999999             | a:1: gpus: must be a whole number, but is"
                        + " '99999999999'",
                "roles: [~]                    | a:1: roles[0]: must be fields with values, such"
                        + " as 'name: first'",
                "roles:~  a: 3                 | a:2: roles[0]: must be fields with values, such"
                        + " as 'name: first'",
                "roles:~  a: {}~  a: {}        | a:3: roles.a: is given twice",
                "roles:~  ? [a]~  : {}         | a:2: roles: has a key that is not a text",
                "roles:~  a: {name: [b]}       | a:2: roles[0].name: must be a text",
                "roles:~  a: {name: a, name: a} | a:2: roles[0].name: is given twice",
                "roles:~  a: {command: ' '}    | a:2: roles[0].command: is empty",
                "roles: [{command: []}]        | a:1: roles[0].command: is empty",
            })
    void aMistakeInsideOfAFieldNamesItsLine(String text, String message) {
        String yaml = text.replace("[~]", "[null]").replace('~', '\n');
        var e = assertThrows(UsageException.class, () -> SpecFile.read("a", yaml));
        assertEquals(message, e.getMessage());
    }

    @Test
    void theFirstMistakeOfAFileIsToldFirst() {
        var e = assertThrows(UsageException.class, () -> SpecFile.read("a", "gpus: x\ngups: 1\n"));
        assertEquals("a:1: gpus: must be a whole number, but is 'x'", e.getMessage());
    }

    @Test
    void anEmptyFieldIsNotSaidAndAnEmptyElementIsAText() throws UsageException {
        SpecBody spec =
                SpecFile.read("a", "name:\ncommand: [a, ~, null]\nroles:\nenv: {}\n")
                        .getFirst()
                        .body();
        assertEquals(List.of("a", "~", "null"), spec.command());
        assertNull(spec.name());
        assertNull(spec.roles());
        assertEquals(Map.of(), spec.env());
    }

    @Test
    void rolesByTheirNamesMayShareOneText() throws UsageException {
        String yaml = "roles:\n  a: &role {name: , command: x, gpus: 2}\n  b: *role\n";
        List<RoleBody> roles = SpecFile.read("a", yaml).getFirst().body().roles();
        assertEquals(List.of("a", "b"), roles.stream().map(RoleBody::name).toList());
        assertTrue(roles.stream().allMatch(role -> role.gpus() == 2));
    }
}
