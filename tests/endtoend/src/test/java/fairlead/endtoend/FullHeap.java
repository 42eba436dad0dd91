package fairlead.endtoend;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;

/**
 * The server's own program in a process whose heap something else fills up on request, and keeps
 * full: what the server then cannot allocate, it cannot.
 */
public final class FullHeap {
    /** From a large piece down to what the smallest of objects need. */
    private static final int[] PIECES = {1 << 20, 1 << 16, 1 << 12, 1 << 8, 16};

    private static final List<Object> KEPT = new ArrayList<>(1 << 21);

    private FullHeap() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, IOException, InvocationTargetException {
        Class.forName("fairlead.server.Main")
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
        System.in.read();
        Thread.ofPlatform().name("full heap").daemon().start(FullHeap::fill);
    }

    private static void fill() {
        while (true) {
            for (int bytes : PIECES) fill(bytes);
        }
    }

    private static void fill(int bytes) {
        try {
            while (true) KEPT.add(new byte[bytes]);
        } catch (OutOfMemoryError _) {
            // As full as pieces of this size make it.
            return;
        }
    }
}
