/**
 * A team's own past as a trace for the simulator.
 *
 * <p>Touches: job, journal, server.journal, simulator.
 */
package fairlead.server.history;
