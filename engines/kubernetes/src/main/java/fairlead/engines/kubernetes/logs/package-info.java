/**
 * How pods' logs are kept here: copied once, taken up where they broke off.
 *
 * <p>Touches: nothing.
 */
package fairlead.engines.kubernetes.logs;
