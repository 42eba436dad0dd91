package fairlead.bench;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Counts the gangs that were given their places. */
@AuxCounters
@State(Scope.Thread)
public class Placed {
    public long gangs;

    @Setup(Level.Iteration)
    public void reset() {
        gangs = 0;
    }
}
