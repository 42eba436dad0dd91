/**
 * The wire: what is asked and answered about jobs, clusters and the server, as it travels in JSON.
 *
 * <p>Touches: nothing.
 */
package fairlead.api;
