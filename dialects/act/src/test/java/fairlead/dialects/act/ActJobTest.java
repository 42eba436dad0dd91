package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.api.json.BadBody;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON that tells the program on the node about a job. */
class ActJobTest {
    private static final String JSON =
            "{\"config\":\"aml\",\"gpus\":8,\"nodes\":2,\"processesPerNode\":4,\"mpi\":true,"
                + "\"code\":{\"kind\":\"blob\",\"url\":\"https://a.example/c/code.zip\","
                + "\"sas\":\"FAIRLEAD_ACT_SAS_0\"},"
                + "\"folders\":{\"output\":{\"kind\":\"file\",\"path\":\"/o\",\"store\":\"/s\"},\"data\":{\"kind\":\"file\",\"path\":\"/d"
                + " \\\"x\\\\\\u000a\"}},"
                + "\"compileArgs\":\"--fast\",\"sleepIfFail\":true,\"sleepIfSucceed\":false}";

    private static ActJob job() {
        var folders = new LinkedHashMap<String, Place>();
        folders.put("output", new Place.File("/o", "", "/s"));
        folders.put("data", new Place.File("/d \"x\\\n"));
        return new ActJob(
                "aml",
                8,
                2,
                4,
                true,
                new Place.Blob("https://a.example/c/code.zip", "FAIRLEAD_ACT_SAS_0"),
                folders,
                "--fast",
                true,
                false);
    }

    @Test
    void a34p25AJobIsWrittenWithTheFieldsThatTheNodeReads() {
        assertEquals(JSON, job().toJson());
    }

    @Test
    void whatWasWrittenIsReadAgainInTheSameOrder() {
        ActJob read = ActJob.fromJson(JSON);
        assertEquals(job(), read);
        assertEquals("[output, data]", read.folders().keySet().toString());
    }

    @Test
    void p4HowFoldersAreMountedAndWhoseJobItIsSurvive() {
        var job =
                new ActJob(
                        "wu1",
                        0,
                        1,
                        1,
                        false,
                        new Place.Blob("https://a.example/c/code.zip", "", "ro"),
                        Map.of("data", new Place.File("/d", "ro,attr_timeout=1")),
                        "",
                        false,
                        false,
                        true);
        assertEquals(job, ActJob.fromJson(job.toJson()));
    }

    @Test
    void everyCharacterSurvives() {
        var every = new StringBuilder();
        for (int c = 0; c < 0xd800; c++) every.append((char) c);
        every.append("😀\uffff");
        var job =
                new ActJob(
                        every.toString(),
                        0,
                        1,
                        1,
                        false,
                        new Place.File("/c"),
                        Map.of(),
                        "",
                        false,
                        false);
        assertEquals(job, ActJob.fromJson(job.toJson()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"nodes\":1,\"processesPerNode\":1,\"code\":{\"kind\":\"file\"}}",
                "{\"nodes\":0,\"processesPerNode\":1,\"code\":{\"kind\":\"file\",\"path\":\"/\"}}",
                "{\"nodes\":1,\"processesPerNode\":1,\"code\":{\"kind\":\"tape\",\"path\":\"/\"}}",
                "{\"other\":1}"
            })
    void everythingElseIsRefused(String json) {
        assertThrows(BadBody.class, () -> ActJob.fromJson(json));
    }
}
