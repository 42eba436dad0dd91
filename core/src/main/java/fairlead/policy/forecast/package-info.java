/**
 * When waiting jobs will start, by running their policy forward, and what would start them now.
 *
 * <p>Touches: nothing.
 */
package fairlead.policy.forecast;
