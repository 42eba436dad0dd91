/**
 * The fair rule written a second time, to judge those by who plan by it.
 *
 * <p>Touches: cluster, job.
 */
package fairlead.justice;
