/**
 * Jobs, tasks and their progress told as the wire's records.
 *
 * <p>Touches: api, api.spec, dialects.act, dialects.dlscheduler, dialects.openpai, dialects.runai,
 * engine, job, journal, policy.forecast, wire.
 */
package fairlead.server.bodies;
