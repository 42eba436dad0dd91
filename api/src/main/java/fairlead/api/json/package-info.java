/**
 * JSON read strictly and written: every mistake is reported with its field.
 *
 * <p>Touches: io.avaje.json, io.avaje.jsonb.
 */
package fairlead.api.json;
