/**
 * Port: where users' code and data live.
 *
 * <p>Touches: nothing.
 */
package fairlead.storage;
