/**
 * The policy {@code fair}: one's first GPU before anyone's second.
 *
 * <p>Touches: nothing.
 */
package fairlead.policy.fair;
