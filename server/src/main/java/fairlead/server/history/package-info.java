/**
 * A team's own past: as a trace for the simulator, and as a report of who used what.
 *
 * <p>Touches: api.clusters, api.report, cluster, job, journal, journals.sqlite, policy.forecast,
 * simulator.
 */
package fairlead.server.history;
