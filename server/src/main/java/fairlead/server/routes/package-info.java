/**
 * Our own interface /v1 and its pages: a class for each group of routes.
 *
 * <p>Touches: api, api.client, api.clusters, api.json, api.metrics, api.people, api.spec,
 * api.submit, cluster, control, engine, job, journal, journals.sqlite, policy, policy.fair,
 * policy.forecast, server.admission, server.auth, server.bodies, server.history, server.http,
 * server.launch, server.portal, server.runtime, server.sessions, server.snapshot, wire,
 * io.avaje.json, io.helidon.
 */
package fairlead.server.routes;
