/**
 * Port: where attempts run.
 *
 * <p>Touches: cluster, job.
 */
package fairlead.engine;
