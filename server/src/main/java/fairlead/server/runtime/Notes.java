package fairlead.server.runtime;

import fairlead.control.Tick;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.job.Event;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a job's own log says about its fate: who displaced it and why. The journal has the same for
 * certain; a note that cannot be written is only logged.
 */
public final class Notes {
    private static final System.Logger LOG = System.getLogger(Notes.class.getName());
    private final Map<String, Engine> engines;

    public Notes(Map<String, Engine> engines) {
        this.engines = Map.copyOf(engines);
    }

    /** The notes that follow from a tick; each may be written by any thread. */
    List<Runnable> of(Tick tick) {
        var notes = new ArrayList<Runnable>();
        for (int i = 0; i < tick.facts().size(); i++) {
            if (tick.facts().get(i).event() instanceof Event.PreemptRequested preempted) {
                Engine engine = engines.get(tick.after().get(i).spec().cluster());
                notes.add(() -> write(engine, preempted));
            }
        }
        return notes;
    }

    private static void write(Engine engine, Event.PreemptRequested preempted) {
        try {
            engine.note(
                    preempted.attempt(),
                    "fairlead: preempted for " + preempted.beneficiary() + ": " + preempted.why());
        } catch (EngineException lost) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the log of {0} does not say who displaced it: {1}",
                    preempted.attempt(),
                    lost.getMessage());
        }
    }
}
