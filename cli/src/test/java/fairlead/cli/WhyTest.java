package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.AheadBody;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

class WhyTest {
    @Test
    void theJobsOfThoseAheadWhoWantNoGpusAreCounted() throws IOException {
        try (var server = new FakeServer()) {
            var queued = server.add(new FakeJob("cpu_1763179200_000000aa", "queued"));
            queued.ahead = List.of(new AheadBody("bob", 1, 2, 0));
            String why = Shell.of(server).type("why", "00aa").out();
            assertTrue(why.contains("ahead of it:\n  bob  2 jobs\n"), why);
        }
    }

    @Test
    void aJobThatCanNeverStartHasNoTimeThatNobodyKnows() throws IOException {
        try (var server = new FakeServer()) {
            var never = server.add(new FakeJob("never_1763179200_000000bb", "queued"));
            never.obstacles = List.of("can never start on this cluster: needs 64 GPUs");
            String why = Shell.of(server).type("why", "00bb").out();
            assertTrue(why.endsWith("\n- " + never.obstacles.getFirst() + "\n"), why);
        }
    }
}
