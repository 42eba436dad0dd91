package fairlead.engine;

import java.io.Closeable;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A command that runs beside a task, or a way to the task itself or to a port of it. Its streams
 * hold back whoever is too fast for the other side. Each stream is for one thread; all else may be
 * called by any. It ends with its task at the latest.
 */
public interface ExecSession extends Closeable {
    /** What the command reads; closing it is the end of its input, except on a terminal. */
    OutputStream input();

    /** What it writes; ends soon after the command itself, whatever it has left running. */
    InputStream output();

    /** What it writes to its standard error; nothing on a terminal, which has but one stream. */
    InputStream errors();

    /** Tells the command that its terminal has another size. Without a terminal nothing happens. */
    void resize(int rows, int columns);

    /** Waits for the end of the command; 128 and the signal's number when a signal ended it. */
    int await() throws InterruptedException;

    /** Ends what still runs, by force where it must be, and lets go of the streams. */
    @Override
    void close();
}
