/**
 * What a job asks for, as it travels in JSON and stands in job files.
 *
 * <p>Touches: nothing.
 */
package fairlead.api.spec;
