/**
 * Shells and ports of tasks, over a connection that has left HTTP.
 *
 * <p>Touches: api, api.client, engine, job, server.auth, server.http, io.helidon.
 */
package fairlead.server.sessions;
