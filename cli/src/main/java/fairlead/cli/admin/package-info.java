/**
 * Verbs about the server, its clusters, people and projects, and who one is to it.
 *
 * <p>Touches: cli.act, cli.job, cli.line, cli.server, cli.terminal, dialects.act,
 * dialects.act.config, dialects.yaml, api, api.client, api.people, api.words.
 */
package fairlead.cli.admin;
