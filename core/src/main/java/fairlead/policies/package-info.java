/**
 * All policies by name.
 *
 * <p>Touches: policy, policy.elastic, policy.fair, policy.ranked.
 */
package fairlead.policies;
