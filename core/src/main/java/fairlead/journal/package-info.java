/**
 * Port: where facts are kept.
 *
 * <p>Touches: job.
 */
package fairlead.journal;
