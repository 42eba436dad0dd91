/**
 * The HTTP front on Helidon and our own interface /v1: routes, limits, errors, streams.
 *
 * <p>Touches: nothing.
 */
package fairlead.server.http;
