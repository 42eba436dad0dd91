/**
 * A cluster's view as a file that can be sent and planned again.
 *
 * <p>Touches: api.json, cluster, job, policies, policy, wire.parts, io.avaje.json.
 */
package fairlead.server.snapshot;
