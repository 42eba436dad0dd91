/**
 * People, projects and their tokens, as they travel in JSON.
 *
 * <p>Touches: io.avaje.json, io.avaje.jsonb.
 */
package fairlead.api.people;
