/**
 * How the server, the master of an application and the keepers of its tasks talk with each other.
 *
 * <p>Touches: nothing.
 */
package fairlead.engines.yarn.relay;
