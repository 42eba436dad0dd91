/**
 * Policies that rank all jobs in one order, to compare with.
 *
 * <p>Touches: nothing.
 */
package fairlead.policy.ranked;
