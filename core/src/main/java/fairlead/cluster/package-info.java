/**
 * What a cluster looks like: its nodes, what is free on them, who waits.
 *
 * <p>Touches: job.
 */
package fairlead.cluster;
