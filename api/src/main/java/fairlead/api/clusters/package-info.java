/**
 * The server, its clusters and their nodes, as they travel in JSON.
 *
 * <p>Touches: io.avaje.json, io.avaje.jsonb.
 */
package fairlead.api.clusters;
