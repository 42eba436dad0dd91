/**
 * All policies by name.
 *
 * <p>Touches: nothing.
 */
package fairlead.policies;
