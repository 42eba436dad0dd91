package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.dialects.act.config.Store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.Optional;

/** Signatures for containers. That a real store takes them is tested where there is one. */
class SasTest {
    private static final Instant NOW = Instant.parse("2026-11-15T14:16:36.789Z");

    private static Store.Blob store(String key, String sas, String endpoint) {
        return new Store.Blob(
                "vigeast",
                Optional.ofNullable(key),
                Optional.ofNullable(sas),
                "data",
                Optional.ofNullable(endpoint));
    }

    /** The signatures were made by another program, from the text that Azure's document has. */
    @Test
    void aKeySignsForThirtyDaysAndForHttpsWhereTheAddressHasIt() throws Misuse {
        assertEquals(
                "?sv=2020-12-06&sr=c&sp=racwdl&se=2026-12-15T14%3A16%3A36Z&spr=https&sig=%2FyexwQJMKgCr7OT60K%2B8bhjxiZRxJJJGS8zCxawlS2c%3D",
                Sas.of(store("c2VjcmV0LWtleQ==", null, null), NOW));
        assertEquals(
                "?sv=2020-12-06&sr=c&sp=racwdl&se=2026-12-15T14%3A16%3A36Z&sig=Z42KCnC4RVWEl5pOJEZXWWBWqeB512iqC7%2BSjEafBak%3D",
                Sas.of(store("c2VjcmV0LWtleQ==", null, "http://127.0.0.1:1/vigeast"), NOW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?sv=1&se=2026-12-15T14%3A16%3A37Z&sig=x",
                "?sv=1&se=2026-12-16&sig=x",
                "?sv=1&se=2026-12-15T15%3A00Z&sig=x",
                "?sv=1&se=whenever&sig=x",
                "?sv=1&se=%zz&sig=x",
                "?sv=1&sig=x"
            })
    void theSignatureOfTheAccountFileIsUsedAsItIs(String sas) throws Misuse {
        assertEquals(sas, Sas.of(store("c2VjcmV0LWtleQ==", sas, null), NOW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-15T14%3A16%3A36Z", "2026-11-15", "2020-01-01T00%3A00Z"})
    void aSignatureThatHasEndedIsToldAndNotSent(String end) {
        var store = store(null, "?sv=1&se=" + end + "&sig=secret", null);
        String message = assertThrows(Misuse.class, () -> Sas.of(store, NOW)).getMessage();
        assertEquals(
                "the sas_token for azureblob://vigeast/data ended at ",
                message.substring(0, message.indexOf("20")));
        assertEquals(-1, message.indexOf("secret"));
    }

    /** Such as one that ends a second before a job may. */
    @ParameterizedTest
    @ValueSource(strings = {"2020-01-01", "2026-11-16", "2026-12-15T14%3A16%3A35Z"})
    void aKeyStandsInForASignatureThatEndsBeforeAJobMay(String end) throws Misuse {
        String sas = "?sv=1&se=" + end + "&sig=x";
        String signed = Sas.of(store("c2VjcmV0LWtleQ==", sas, null), NOW);
        assertEquals("?sv=2020-12-06", signed.substring(0, 14));
    }

    @Test
    void withoutAKeyASignatureIsUsedUntilItsEnd() throws Misuse {
        String sas = "?sv=1&se=2026-11-15T14%3A16%3A37Z&sig=x";
        var store = store(null, sas, null);
        assertEquals(sas, Sas.of(store, NOW));
        assertEquals(Optional.of(Instant.parse("2026-11-15T14:16:37Z")), Sas.endsSoon(store, NOW));
        assertEquals(Optional.empty(), Sas.endsSoon(store(null, "?se=2026-11-30", null), NOW));
    }

    @Test
    void whatTheKeySignsAllowsNoMoreThanTheSignatureBesideIt() throws Misuse {
        String sas = "?sp=rl&se=2026-11-16&sig=x";
        String signed = Sas.of(store("c2VjcmV0LWtleQ==", sas, null), NOW);
        assertEquals("?sv=2020-12-06&sr=c&sp=rl&se=2026-12-15", signed.substring(0, 39));
    }

    @Test
    void rightsThatASignatureDoesNotGiveAreKnown() {
        assertEquals("l", Sas.lacking(store(null, "?sp=racwd&sig=x", null), "rlw"));
        assertEquals("", Sas.lacking(store(null, "?si=policy&sig=x", null), "rlw"));
        assertEquals("", Sas.lacking(store("c2VjcmV0LWtleQ==", null, null), "rlw"));
    }
}
