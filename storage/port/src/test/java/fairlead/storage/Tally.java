package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Writes down what a transfer tells of itself, and whether the numbers add up. */
class Tally implements Progress {
    private final Map<Address, Long> found = new TreeMap<>(Tally::byText);
    private final Map<Address, Long> done = new TreeMap<>(Tally::byText);
    private final Set<Address> finished = new HashSet<>();
    private final Set<Address> begun = new HashSet<>();
    private int foundAll;

    /** The reasons by the names of what was left out. */
    final Map<String, String> leftOut = new TreeMap<>();

    long moved;
    long skipped;

    private static int byText(Address one, Address other) {
        return one.toString().compareTo(other.toString());
    }

    @Override
    public synchronized void moved(Address file, long bytes) {
        if (bytes == 0) assertTrue(begun.add(file), "begins once: " + file);
        assertTrue(begun.contains(file), "moves before it begins: " + file);
        moved += bytes;
        done.merge(file, bytes, Long::sum);
    }

    @Override
    public synchronized void skipped(Address file, long bytes) {
        skipped += bytes;
        done.merge(file, bytes, Long::sum);
    }

    @Override
    public synchronized void found(Address file, long bytes) {
        assertEquals(0, foundAll, "found after the last: " + file);
        found.put(file, bytes);
    }

    @Override
    public synchronized void foundAll() {
        foundAll++;
    }

    @Override
    public synchronized void leftOut(Path file, String reason) {
        leftOut.put(file.getFileName().toString(), reason);
    }

    @Override
    public synchronized void finished(Address file) {
        finished.add(file);
    }

    /** After a transfer that succeeded. */
    synchronized void assertAddsUp(long movedBytes, long skippedBytes) {
        assertEquals(1, foundAll);
        assertEquals(found, done, "what was found has moved or was skipped");
        assertEquals(found.keySet(), finished);
        assertEquals(movedBytes, moved, "moved");
        assertEquals(skippedBytes, skipped, "skipped");
    }
}
