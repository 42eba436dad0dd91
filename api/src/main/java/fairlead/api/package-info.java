/**
 * The wire: what is asked and answered about jobs, as it travels in JSON.
 *
 * <p>Touches: api.json, api.spec, io.avaje.json, io.avaje.jsonb.
 */
package fairlead.api;
