/**
 * The personal server of a user: finding, starting and stopping it.
 *
 * <p>Touches: api, cli.
 */
package fairlead.cli.server;
