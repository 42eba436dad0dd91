/**
 * A cluster's view as a file that can be sent and planned again.
 *
 * <p>Touches: api, cluster, job, policy, server.parts, io.avaje.json.
 */
package fairlead.server.snapshot;
