package fairlead.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class NaturalOrderTest {
    @Test
    void numbersInNamesCountAsNumbers() {
        var wanted =
                List.of(
                        "a",
                        "a1",
                        "a01",
                        "a2b1",
                        "a2b10",
                        "a10",
                        "a99999999999999999999",
                        "a100000000000000000000",
                        "b",
                        "b.txt");
        var names = new ArrayList<>(wanted);
        Collections.shuffle(names, new Random(1));
        names.sort(NaturalOrder.INSTANCE);
        assertEquals(
                List.of(
                        "a",
                        "a01",
                        "a1",
                        "a2b1",
                        "a2b10",
                        "a10",
                        "a99999999999999999999",
                        "a100000000000000000000",
                        "b",
                        "b.txt"),
                names);
    }
}
