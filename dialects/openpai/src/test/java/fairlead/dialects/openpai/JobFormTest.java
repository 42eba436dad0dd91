package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

class JobFormTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1&b=x%20y+z               | {\"a\":\"1\",\"b\":\"x y z\"}",
                "r[0][n]=a&r[1][n]=b         | {\"r\":[{\"n\":\"a\"},{\"n\":\"b\"}]}",
                "r%5B0%5D%5Bn%5D=%C3%A9      | {\"r\":[{\"n\":\"\u00e9\"}]}",
                "r[1]=b&r[0]=a               | {\"r\":[\"a\",\"b\"]}",
                "e[A]=1&e[0]=2               | {\"e\":{\"A\":\"1\",\"0\":\"2\"}}",
                "r[1]=b                      | {\"r\":{\"1\":\"b\"}}",
                "a&b=                        | {\"a\":\"\",\"b\":\"\"}",
                "&&                          | {}",
            })
    void brackets(String form, String json) throws Invalid {
        assertEquals(json, JobForm.json(form));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1&a=2             | \"a\" appears twice",
                "a=1&a[b]=2          | \"a[b]\" appears twice, once as a text",
                "a[b]=2&a=1          | \"a\" appears twice",
                "a[=1                | \"a[\" is no name of a field",
                "a[]=1               | \"a[]\" is no name of a field",
                "=1                  | \"\" is no name of a field",
                "{\"jobName\": \"a\"}   | the body is JSON and was sent as a form: say"
                        + " \"Content-Type: application/json\"",
                "a=%zz               | the form has a bad escape after %",
                "a[b][c][d][e][f][g][h][i][j][k]=1 | \"a[b][c][d][e][f][g][h][i][j][k]\" is nested"
                        + " too deeply",
            })
    void otherFormsAreRefused(String form, String problem) {
        assertEquals(problem, assertThrows(Invalid.class, () -> JobForm.json(form)).getMessage());
    }

    @Test
    void aFormHasABound() {
        String many =
                IntStream.range(0, 10_001)
                        .mapToObj(i -> "a" + i + "=")
                        .collect(Collectors.joining("&"));
        var invalid = assertThrows(Invalid.class, () -> JobForm.json(many));
        assertTrue(invalid.getMessage().contains("too many"), invalid.getMessage());
    }
}
