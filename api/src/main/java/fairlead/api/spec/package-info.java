/**
 * What a job asks for, as it travels in JSON and stands in job files.
 *
 * <p>Touches: api.json, io.avaje.json, io.avaje.jsonb.
 */
package fairlead.api.spec;
