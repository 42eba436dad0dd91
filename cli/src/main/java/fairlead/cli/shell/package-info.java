/**
 * Verbs that open something into a running task: shells, its streams, its ports.
 *
 * <p>Touches: api, api.client, cli.line, cli.terminal, cli.verb.
 */
package fairlead.cli.shell;
