/**
 * The one HTTP front, on Helidon: framing, limits, who may call, refusals, streams. It knows no
 * route.
 *
 * <p>Touches: api, api.json, control, engine, job, journal, server.auth, wire, io.helidon.
 */
package fairlead.server.http;
