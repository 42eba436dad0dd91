package fairlead.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The behaviours of OpenPAI that its users rely on are numbered from O1 to O87; the names of tests
 * and the rows of their tables carry the numbers, so that each is found by its test.
 */
class OpenPaiItemsTest {
    private static final int ITEMS = 87;

    /** A test such as {@code o45AndO81TheReasonIsTold}. */
    private static final Pattern NAME = Pattern.compile("void (o\\d+\\w*)\\(");

    private static final Pattern NUMBER = Pattern.compile("(?:^o|O|And)(\\d+)");

    /** A row such as {@code O23 | PAI_USER_NAME | ann}. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\s*O(\\d+)\\s*\\|");

    @Test
    void everyItemIsNamedByATest() throws IOException {
        var missing = new TreeSet<>(IntStream.rangeClosed(1, ITEMS).boxed().toList());
        for (Path file : TidyTest.sources()) {
            if (!file.toString().endsWith("Test.java")) continue;
            String text = Files.readString(file);
            NAME.matcher(text)
                    .results()
                    .flatMap(found -> NUMBER.matcher(found.group(1)).results())
                    .forEach(number -> missing.remove(Integer.valueOf(number.group(1))));
            ROW.matcher(text)
                    .results()
                    .forEach(number -> missing.remove(Integer.valueOf(number.group(1))));
        }
        assertEquals(List.of(), List.copyOf(missing));
    }
}
