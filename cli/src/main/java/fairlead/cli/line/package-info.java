/**
 * What a verb is made of: its usage and options, the words that were typed, the session that it
 * runs in.
 *
 * <p>Touches: api.client, api.words, cli.server, cli.terminal.
 */
package fairlead.cli.line;
