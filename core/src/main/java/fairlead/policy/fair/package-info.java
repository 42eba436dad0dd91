/**
 * The policy {@code fair}: one's first GPU before anyone's second.
 *
 * <p>Touches: cluster, job, policy.
 */
package fairlead.policy.fair;
