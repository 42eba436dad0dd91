package fairlead.dialects.jobfile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Which line a refusal of a field names. */
class LinesTest {
    private final Lines lines = new Lines("job.yaml");

    @Test
    void aFieldThatIsMissingHasTheLineOfItsParentAndInTheEndOfItsJob() {
        lines.put("", 4);
        lines.put("roles", 6);
        lines.put("roles[0]", 7);
        assertEquals("job.yaml:7: ", lines.prefix("roles[0].command"));
        assertEquals("job.yaml:6: ", lines.prefix("roles[3].command"));
        assertEquals("job.yaml:4: ", lines.prefix("command"));
    }

    @Test
    void theFileIsNotToBlameForWhatWasTyped() {
        lines.put("", 1);
        lines.put("gpus", 2);
        lines.forget("gpus");
        lines.forget("command");
        assertEquals("", lines.prefix("gpus"));
        assertEquals("", lines.prefix("command"));
    }
}
