/**
 * The wire: records as they travel in JSON, error codes, and the client.
 *
 * <p>Touches: io.avaje.json, io.avaje.jsonb.
 */
package fairlead.api;
