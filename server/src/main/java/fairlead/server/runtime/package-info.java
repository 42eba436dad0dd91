/**
 * The threads around the controller: they carry messages, time and effects.
 *
 * <p>Touches: api, cluster, control, engine, job, journal, policy, policy.forecast, server.bodies,
 * wire.
 */
package fairlead.server.runtime;
