/**
 * The HTTP interface /v1 on Helidon: routes, limits, errors, streams. Touches core, api, launch,
 * runtime, wire.
 */
package fairlead.server.http;
