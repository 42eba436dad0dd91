package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class MemoryTest {
    private record Thing(Error end) implements AutoCloseable {
        @Override
        public void close() {
            throw end;
        }
    }

    @Test
    void theEndOfMemoryIsKnownAlsoWhereJavaHidesIt() {
        var end = new OutOfMemoryError("as if");
        var hidden =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> {
                            try (var thing = new Thing(end)) {
                                throw thing.end();
                            }
                        });
        assertTrue(Memory.hasEnded(hidden), hidden::toString);
        assertTrue(Memory.hasEnded(end));
        assertFalse(Memory.hasEnded(new IllegalArgumentException("another")));
    }
}
