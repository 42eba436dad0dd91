/**
 * Between the records of the wire and the words of core: JSON, specs, units.
 *
 * <p>Touches: api.json, api.spec, api.words, job, io.avaje.json, io.avaje.jsonb.
 */
package fairlead.wire;
