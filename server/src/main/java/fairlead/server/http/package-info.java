/**
 * The one HTTP front, on Helidon: framing, limits, who may call, refusals, streams. It knows no
 * route.
 *
 * <p>Touches: nothing.
 */
package fairlead.server.http;
