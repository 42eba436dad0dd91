/**
 * Shells and ports of tasks, over a connection that has left HTTP.
 *
 * <p>Touches: nothing.
 */
package fairlead.server.sessions;
