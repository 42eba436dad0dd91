/**
 * The HTTP interface /v1 on Helidon: routes, limits, errors, streams.
 *
 * <p>Touches: api, cluster, control, dialects.dlscheduler, engine, job, journal, policy,
 * server.auth, server.journal, server.runtime, server.snapshot, server.wire, io.avaje.json,
 * io.helidon.
 */
package fairlead.server.http;
