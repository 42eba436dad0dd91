/**
 * What GPUs were used for in a span of time, as it travels in JSON.
 *
 * <p>Touches: io.avaje.json, io.avaje.jsonb.
 */
package fairlead.api.report;
