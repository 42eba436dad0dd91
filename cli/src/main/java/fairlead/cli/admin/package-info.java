/**
 * Verbs about the server, its clusters, people and projects, and who one is to it.
 *
 * <p>Touches: api, api.client, api.people, api.words, cli.job, cli.line, cli.server, cli.terminal.
 */
package fairlead.cli.admin;
