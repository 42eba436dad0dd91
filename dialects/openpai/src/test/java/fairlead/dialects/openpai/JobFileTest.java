package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

class JobFileTest {
    private static final JsonMapper STRICT = new JsonMapper();
    private static final JsonMapper COMMENTED =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build();

    static List<Path> realFiles() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/resources/openpai-jobs"))) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    @Test
    void thereAreRealFiles() throws IOException {
        assertEquals(16, realFiles().size());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("realFiles")
    void o67RealFilesAreTakenAndComeBackUnchanged(Path file) throws IOException, Invalid {
        String text = Files.readString(file);
        JobFile read = JobFile.ofFile(text);
        boolean hasComments = file.endsWith("cntk-mpi.json");
        if (!hasComments) assertEquals(text, read.submitted());
        assertEquals(COMMENTED.readTree(text), STRICT.readTree(read.submitted()));
        assertEquals(read, JobFile.ofRequest(read.submitted()), "a client may send it on");
        assertEquals(List.of(), read.warnings());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("realFiles")
    void realFilesAreToldByTheirContent(Path file) throws IOException {
        assertTrue(JobFile.isMeant(Files.readString(file)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "name: train\nroles: {}",
                "{\"name\": \"x\", \"command\": \"taskRoles\"}",
                "{\"name\": \"x\"} // \"jobName\":",
                "# \"jobName\": 1\nname: x",
            })
    void ourOwnFilesAreNotOpenPais(String text) {
        assertFalse(JobFile.isMeant(text));
    }

    @Test
    void aFileWithAMistakeIsStillToldByItsContent() {
        assertTrue(JobFile.isMeant("// x\n{\"jobName\" : \"x\", \"taskRoles\": ["));
    }

    @Test
    void o67DefaultsAreNotFilledIn() throws Invalid {
        String text = " " + Jobs.job("\"retryCount\" :\t\"3\"") + "\n\n";
        assertEquals(text, JobFile.ofRequest(text).submitted());
    }

    @Test
    void o16CommentsAreTakenFromFilesOnly() throws Invalid {
        String text = Jobs.job("").replaceFirst("\\{", "{ // the \"job\", with } and ,\n");
        assertEquals(Jobs.read(Jobs.job("")), JobFile.ofFile(text).job());
        var invalid = assertThrows(Invalid.class, () -> JobFile.ofRequest(text));
        assertTrue(invalid.getMessage().startsWith("not valid JSON: "), invalid.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://x//y",
                "a \\\" // b",
                "\\\\",
                "// c",
                "d,]",
                "e,}",
            })
    void o16MarkersInsideTextsAreText(String dataDir) throws Invalid, IOException {
        String text = Jobs.job("\"dataDir\": \"" + dataDir + "\"");
        JobFile read = JobFile.ofFile(text);
        assertEquals(text, read.submitted());
        assertEquals(STRICT.readTree(text).get("dataDir").asText(), read.job().dataDir());
    }

    /** One of OpenPAI's examples has such a comma. */
    @Test
    void o16ACommaBeforeABracketIsTakenFromFilesOnly() throws Invalid {
        String text = Jobs.job("").replace("\"true\"}]", "\"true\", // last\n }, ]");
        assertEquals(Jobs.read(Jobs.job("")), JobFile.ofFile(text).job());
        assertThrows(Invalid.class, () -> JobFile.ofRequest(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[,]", "[1,,]", "{,}", "[1 2]", "/", "/* no */ {}", ",", ",}"})
    void otherTextIsNotJson(String text) {
        var invalid = assertThrows(Invalid.class, () -> JobFile.ofFile(text));
        assertTrue(invalid.getMessage().startsWith("not valid JSON: "), invalid.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "jobName,        2",
        "image,          4",
        "taskRoles,      6",
        "memoryMB,       8",
        "label,          11",
        "foo,            12",
    })
    void mistakesAreToldWithTheirLine(String wrong, int line) {
        String text =
                """
                {
                  "jobName": "sample",
                  // the image
                  "image": "busybox",
                  "taskRoles":
                    [
                      {"name": "main", "taskNumber": 2, "cpuNumber": 1,
                       "memoryMB": 200, "gpuNumber": 0, "command": "a \\" ] }",
                       "portList": [
                         {"label": "ok"},
                         {"label": "web"}]}],
                  "retryCount": 0
                }
                """;
        String changed =
                switch (wrong) {
                    case "jobName" -> text.replace("sample", "a b");
                    case "image" -> text.replace("\"busybox\"", "1");
                    case "taskRoles" -> text.replaceAll("(?s)\\{\"name.*\\]\\}\\]", "]");
                    case "memoryMB" -> text.replace("200", "1");
                    case "label" -> text.replace("web", "w-b");
                    default -> text.replace("retryCount", "foo");
                };
        var invalid = assertThrows(Invalid.class, () -> JobFile.ofFile(changed));
        assertEquals(OptionalInt.of(line), invalid.line(), invalid.getMessage());
    }

    @Test
    void malformedTextIsToldWithLineAndColumn() {
        var invalid = assertThrows(Invalid.class, () -> JobFile.ofFile("{\n  \"jobName\" \"x\"}"));
        assertTrue(invalid.getMessage().endsWith("at line 2 column 13"), invalid.getMessage());
    }

    @Test
    void aNameThatStandsTwiceIsRefused() {
        var invalid =
                assertThrows(Invalid.class, () -> JobFile.ofFile(Jobs.job("\"jobName\": \"b\"")));
        assertEquals("jobName: is given twice", invalid.getMessage());
    }

    @Test
    void deepAndLongTextsAreRefused() {
        String deep = "[".repeat(JobFile.CHARS_MAX);
        var invalid = assertThrows(Invalid.class, () -> JobFile.ofFile(deep));
        assertTrue(
                invalid.getMessage().endsWith("is nested more than 20 levels deep"),
                invalid.getMessage());
        invalid = assertThrows(Invalid.class, () -> JobFile.ofFile(deep + "["));
        assertEquals("the job has 1048577 characters; the limit is 1048576", invalid.getMessage());
    }

    @Test
    void textsWithANulAndNumbersBeyondAllBoundsAreRefused() {
        var invalid =
                assertThrows(Invalid.class, () -> Jobs.read(Jobs.job("\"dataDir\": \"a\\u0000\"")));
        assertEquals("dataDir: contains a NUL character", invalid.getMessage());
        invalid =
                assertThrows(
                        Invalid.class, () -> Jobs.read(Jobs.job("\"retryCount\": 1e99999999999")));
        assertEquals("retryCount: has too large an exponent: 1e99999999999", invalid.getMessage());
    }
}
