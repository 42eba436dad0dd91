/**
 * Whether jobs may be submitted, and as what: the same for every interface.
 *
 * <p>Touches: api, api.spec, cluster, control, engine, job, journal, policy, policy.fair,
 * server.auth, server.launch, server.runtime, wire.
 */
package fairlead.server.admission;
