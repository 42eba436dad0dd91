/**
 * Our own interface /v1 and its pages: a class for each group of routes.
 *
 * <p>Touches: api, api.client, api.json, api.people, api.spec, cluster, control,
 * dialects.dlscheduler, engine, job, journal, journals.sqlite, policy, policy.fair,
 * policy.forecast, server.admission, server.auth, server.bodies, server.http, server.launch,
 * server.runtime, server.sessions, server.snapshot, wire, io.avaje.json, io.helidon.
 */
package fairlead.server.routes;
