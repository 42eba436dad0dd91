/**
 * Jobs, tasks and their progress as the records of api.
 *
 * <p>Touches: api, api.spec, api.view, engine, job, journal, policy.forecast, wire.
 */
package fairlead.server.bodies;
