/**
 * The program beside each task in its container: starts and stops it, knows its exit code, and is
 * the way to its log, its surroundings and its ports.
 *
 * <p>Touches: engines.yarn.relay.
 */
package fairlead.engines.yarn.keeper;
