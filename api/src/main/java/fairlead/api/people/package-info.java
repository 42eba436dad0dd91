/**
 * People, projects and their tokens, as they travel in JSON.
 *
 * <p>Touches: nothing.
 */
package fairlead.api.people;
