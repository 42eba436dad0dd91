/**
 * JSON read strictly and written: every mistake is reported with its field.
 *
 * <p>Touches: nothing.
 */
package fairlead.api.json;
