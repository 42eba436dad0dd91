/**
 * The command of Run:ai and its verbs.
 *
 * <p>Touches: api, api.client, api.clusters, api.people, api.spec, api.words, cli.admin, cli.job,
 * cli.line, cli.pods, cli.shell, cli.spec, cli.terminal, cli.verb, dialects.runai.
 */
package fairlead.cli.runai;
