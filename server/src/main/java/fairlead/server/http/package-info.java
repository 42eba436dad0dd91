/**
 * The HTTP front on Helidon and our own interface /v1: routes, limits, errors, streams.
 *
 * <p>Touches: api, cluster, control, dialects.dlscheduler, engine, job, journal, policy,
 * server.admission, server.auth, server.journal, server.launch, server.runtime, server.snapshot,
 * server.wire, io.avaje.json, io.helidon.
 */
package fairlead.server.http;
