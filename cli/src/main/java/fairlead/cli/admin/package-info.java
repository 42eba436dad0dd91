/**
 * Verbs about the server, its clusters, people and projects, and who one is to it.
 *
 * <p>Touches: api, api.client, api.clusters, api.json, api.people, api.words, cli.line, cli.pods,
 * cli.server, cli.terminal.
 */
package fairlead.cli.admin;
