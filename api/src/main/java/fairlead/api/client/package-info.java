/**
 * The client of a server: its address and login, its calls, streams of logs, events and shells.
 *
 * <p>Touches: nothing.
 */
package fairlead.api.client;
