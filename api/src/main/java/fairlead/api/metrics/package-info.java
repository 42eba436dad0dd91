/**
 * What scripts measure of their training, as it travels in JSON.
 *
 * <p>Touches: io.avaje.json, io.avaje.jsonb.
 */
package fairlead.api.metrics;
