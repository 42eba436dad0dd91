/**
 * The HTTP interface /v1 on Helidon: routes, limits, errors, streams. Touches core, api, runtime,
 * wire.
 */
package fairlead.server.http;
