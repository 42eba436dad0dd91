/**
 * Whether jobs may be submitted, and as what: the same for every interface.
 *
 * <p>Touches: api, cluster, control, engine, job, policy, server.auth, server.launch,
 * server.runtime, server.wire.
 */
package fairlead.server.admission;
