package fairlead.policies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class PoliciesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "backfill, nothing, false",
        "elastic, profiled, true",
        "elastic-oracle, oracle, true",
        "fair, profiled, false",
        "fifo, nothing, false",
        "las, nothing, false",
        "srgf, oracle, false",
        "srtf, oracle, false",
    })
    void aPolicyIsKnownWithWhatItKnowsAndWhetherItChoosesSizes(
            String name, String knows, boolean resizes) {
        assertEquals(knows, Policies.knows(name).word());
        assertEquals(resizes, Policies.byName(name).resizes());
    }

    @Test
    void theReadmeNamesTheDefault() throws IOException {
        Path page = Path.of("README.md");
        if (!Files.exists(page)) page = Path.of("..").resolve(page);
        assertTrue(
                Files.readString(page)
                        .contains("the policy `" + Policies.DEFAULT + "`, the default"));
    }

    @Test
    void allAreListedByName() {
        assertEquals(
                List.of(
                        "backfill",
                        "elastic",
                        "elastic-oracle",
                        "fair",
                        "fifo",
                        "las",
                        "srgf",
                        "srtf"),
                List.copyOf(Policies.names()));
    }

    @Test
    void anUnknownOneIsRefusedWithTheNamesOfThoseThatThereAre() {
        var refused = assertThrows(IllegalArgumentException.class, () -> Policies.byName("fare"));
        assertEquals(
                "no policy 'fare'; known: " + String.join(", ", Policies.names()),
                refused.getMessage());
    }
}
