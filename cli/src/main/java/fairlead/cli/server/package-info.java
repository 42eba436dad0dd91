/**
 * The personal server of a user: finding, starting and stopping it.
 *
 * <p>Touches: api, api.client, api.words, cli.terminal.
 */
package fairlead.cli.server;
