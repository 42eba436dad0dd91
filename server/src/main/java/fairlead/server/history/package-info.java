/**
 * A team's own past as a trace for the simulator.
 *
 * <p>Touches: job, journal, journals.sqlite, simulator.
 */
package fairlead.server.history;
