/**
 * The fair rule written a second time, to judge the plans of the policies.
 *
 * <p>Touches: cluster, job.
 */
package fairlead.justice;
