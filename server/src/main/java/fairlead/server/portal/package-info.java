/**
 * The portal: the built page and its parts, as browsers load them, and pages that tasks serve. What
 * the portal shows it asks of /v1.
 *
 * <p>Touches: api, engine, job, journal, server.auth, server.http, io.helidon.
 */
package fairlead.server.portal;
