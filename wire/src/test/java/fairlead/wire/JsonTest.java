package fairlead.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.SubmitRequest;
import fairlead.api.json.BadBody;
import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

class JsonTest {
    private static final String REQUEST =
            """
            {"request":"r1","jobs":[{"name":"mnist","command":"echo \\"hi\\" {i}","gpus":2,
            "env":{"A":"1","B":""}},{"roles":[{"name":"worker","count":2,
            "command":["python3","train.py"]}]}],"array":{"from":0,"to":499}}
            """;

    @Test
    void aRequestIsReadAsItStands() {
        SubmitRequest request = Json.read(SubmitRequest.class, REQUEST.getBytes(UTF_8));
        assertEquals("r1", request.request());
        assertEquals(new SubmitRequest.ArrayBody(0, 499), request.array());
        SpecBody first = request.jobs().getFirst();
        assertEquals(List.of("sh", "-c", "echo \"hi\" {i}"), first.command());
        assertEquals(2, first.gpus());
        assertEquals(Map.of("A", "1", "B", ""), first.env());
        var role = request.jobs().getLast().roles().getFirst();
        assertEquals(List.of("python3", "train.py"), role.command());
        assertEquals(null, role.gpus());
    }

    @Test
    void whatIsWrittenReadsBackTheSame() {
        SubmitRequest request = Json.read(SubmitRequest.class, REQUEST);
        assertEquals(request, Json.read(SubmitRequest.class, Json.writeBytes(request)));
    }

    @Test
    void aShellCommandIsWrittenAsItsTextAndAListStaysAList() {
        assertEquals("{\"command\":\"a | b\"}", Json.write(command("sh", "-c", "a | b")));
        assertEquals("{\"command\":[\"sh\",\"-c\"]}", Json.write(command("sh", "-c")));
        assertEquals("{\"command\":[\"sh\",\"x\",\"y\"]}", Json.write(command("sh", "x", "y")));
    }

    @Test
    void everyTextSurvivesTheWayThereAndBack() {
        for (String text :
                List.of("", "\0", "\"\\/\b\f\n\r\t", "\u0001\u001f\u007f\u2028", "é€😀")) {
            SpecBody body = command("echo", text);
            assertEquals(body, Json.read(SpecBody.class, Json.writeBytes(body)));
        }
        assertEquals(
                command("😀/é", "\0"),
                Json.read(
                        SpecBody.class,
                        "{\"command\":[\"\\uD83D\\ude00\\/\\u00e9\",\"\\u0000\"]}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"jobs\":[{},{\"gup\":1}]} | jobs[1].gup | is not a known field",
                "{\"jobs\":[{\"roles\":[{},{\"gpus\":\"2\"}]}]} | jobs[0].roles[1].gpus"
                        + " | must be a whole number, but is a text",
                "{\"jobs\":[{\"gpus\":1.5}]} | jobs[0].gpus | must be a whole number, but is 1.5",
                "{\"jobs\":[{\"gpus\":1e3}]} | jobs[0].gpus | must be a whole number, but is 1e3",
                "{\"jobs\":[{\"gpu\":1e99999999999}]} | jobs[0].gpu | has too large an exponent:"
                        + " 1e99999999999",
                "{\"jobs\":[{\"gpus\":2147483648}]} | jobs[0].gpus | is too large: 2147483648",
                "{\"jobs\":[{\"gpus\":1,\"gpus\":2}]} | jobs[0].gpus | is given twice",
                "{\"jobs\":[{\"env\":{\"A\":\"1\",\"A\":\"2\"}}]} | jobs[0].env.A | is given twice",
                "{\"jobs\":[{\"env\":{\"A\":1}}]} | jobs[0].env.A | must be a text, but is a"
                        + " number",
                "{\"jobs\":[{\"command\":7}]} | jobs[0].command | must be a list, but is a number",
                "{\"jobs\":[{\"command\":[\"a\",null]}]} | jobs[0].command[1]"
                        + " | must be a text, but is null",
                "{\"jobs\":{}} | jobs | must be a list, but is an object",
                "{\"request\":[]} | request | must be a text, but is a list",
                "{\"array\":{\"from\":null}} | array.from | must be a whole number, but is null",
                "{\"array\":true} | array | must be an object, but is true or false"
            })
    void aWrongFieldIsNamed(String body, String field, String problem) {
        var e = assertThrows(BadBody.class, () -> Json.read(SubmitRequest.class, body));
        assertEquals(Optional.of(field), e.field());
        assertEquals(field + ": " + problem, e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "nul",
                "{]",
                "{\"a\"}",
                "{\"request\":}",
                "{\"request\"\"a\"}",
                "{\"request\":\"a\"",
                "{\"request\":\"a\"}}",
                "{\"request\":\"a\"} x",
                "{\"request\":\"a\" \"jobs\":[]}",
                "{\"request\":\"a\",}",
                "{\"jobs\":[{},]}",
                "{\"jobs\":[{} {}]}",
                "{\"request\":\"a}",
                "{\"request\":\"\\",
                "{\"request\":\"\\x\"}",
                "{\"request\":\"\\u12\"}",
                "{\"request\":\"\\ud800\"}",
                "{\"request\":\"\\udc00\\ud800\"}",
                "{\"request\":\"a\nb\"}",
                "{\"array\":{\"from\":01}}",
                "{\"array\":{\"from\":-}}",
                "{\"array\":{\"from\":1.}}",
                "{\"array\":{\"from\":+1}}",
                "{'request':'a'}",
                "{\"request\":nulL}",
                "{\"request\":\"\0\"}",
                "\0",
                "{\0}"
            })
    void malformedJsonIsRefusedWithItsPlace(String body) {
        var e = assertThrows(BadBody.class, () -> Json.read(SubmitRequest.class, body));
        assertEquals(Optional.empty(), e.field());
        assertTrue(
                e.getMessage().matches("not valid JSON: .+, at line \\d+ column \\d+"),
                e::getMessage);
    }

    @Test
    void thePlaceIsLineAndColumn() {
        var e = assertThrows(BadBody.class, () -> Json.read(SpecBody.class, "{\n \"gpus\": ?}"));
        assertEquals("not valid JSON: expected a value, at line 2 column 10", e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"null, is null", "[], 'must be an object, but is a list'"})
    void aBodyOfAnotherKindIsRefused(String body, String problem) {
        var e = assertThrows(BadBody.class, () -> Json.read(SpecBody.class, body));
        assertEquals("the body " + problem, e.getMessage());
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[] body = "{\"request\":\"?\"}".getBytes(UTF_8);
        body[12] = (byte) 0xff;
        assertThrows(BadBody.class, () -> Json.read(SubmitRequest.class, body));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[", "{\"a\":", "{\"jobs\":[", "{\"jobs\":[{\"roles\":[", "{\"array\":"})
    void deepNestingIsRefusedLikeAnythingElse(String opening) {
        String body = opening.repeat(200_000);
        assertThrows(BadBody.class, () -> Json.read(SubmitRequest.class, body));
    }

    @Test
    void aHugeNumberOfGpusIsNotWrittenOut() {
        var request = Json.read(SubmitRequest.class, "{\"jobs\":[{\"gpu\":1e400000000}]}");
        assertEquals("1E+400000000", request.jobs().getFirst().gpu());
    }

    @Test
    void aNumberWithAMillionDigitsIsRefusedAtOnce() {
        String body = "{\"array\":{\"from\":" + "9".repeat(1_000_000) + "}}";
        var e = assertThrows(BadBody.class, () -> Json.read(SubmitRequest.class, body));
        assertEquals("array.from: is too long for a number", e.getMessage());
    }

    /** Without any brackets, quotes, commas and colons inside its texts. */
    private static final String FRAME =
            """
            {"request":"r1","jobs":[{"name":"a","gpus":2,"env":{"A":"1","B":""}},{"roles":
            [{"name":"w","command":["x","y"]}]}],"array":{"from":0,"to":9}}\
            """;

    @Test
    void everyBeginningOfABodyIsRefused() {
        for (int end = 0; end < FRAME.length(); end++) assertRefused(FRAME.substring(0, end));
    }

    @Test
    void aBodyThatLacksOrRepeatsAPieceOfItsFrameIsRefused() {
        int pieces = 0;
        for (int i = 0; i < FRAME.length(); i++) {
            if ("{}[],:\"".indexOf(FRAME.charAt(i)) < 0) continue;
            assertRefused(FRAME.substring(0, i) + FRAME.substring(i + 1));
            assertRefused(FRAME.substring(0, i) + FRAME.charAt(i) + FRAME.substring(i));
            pieces++;
        }
        assertEquals(80, pieces);
    }

    private static void assertRefused(String body) {
        assertThrows(BadBody.class, () -> Json.read(SubmitRequest.class, body), body);
    }

    /**
     * Goal: no body whatever crashes the reader, and what it takes it has understood. Method: break
     * a good one at random places; what is still taken reads back the same when it is written.
     */
    @Test
    void aBrokenBodyIsUnderstoodOrRefusedWithItsPlace() {
        var dice = new SplittableRandom(4);
        int taken = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] body = REQUEST.getBytes(UTF_8);
            for (int i = 0; i <= dice.nextInt(3); i++) {
                body[dice.nextInt(body.length)] =
                        (byte) "{}[]\",:\\0-enx\0\n".charAt(dice.nextInt(15));
            }
            byte[] cut = dice.nextBoolean() ? body : Arrays.copyOf(body, dice.nextInt(body.length));
            try {
                SubmitRequest read = Json.read(SubmitRequest.class, cut);
                assertEquals(read, Json.read(SubmitRequest.class, Json.writeBytes(read)));
                taken++;
            } catch (BadBody e) {
                boolean hasPlace =
                        e.field().isPresent()
                                ? e.getMessage().startsWith(e.field().get() + ": ")
                                : e.getMessage()
                                        .matches("(?s)the body .+|.+, at line \\d+ column \\d+");
                assertTrue(hasPlace, e::getMessage);
            }
        }
        assertTrue(taken > 200 && taken < 5_000, taken + " were taken");
    }

    private static SpecBody command(String... words) {
        var spec = new SpecBody.Edit();
        spec.command = List.of(words);
        return spec.body();
    }
}
