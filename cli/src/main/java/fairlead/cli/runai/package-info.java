/**
 * The command of Run:ai and its verbs.
 *
 * <p>Touches: api, api.client, api.people, api.spec, api.words, cli.admin, cli.job, cli.line,
 * cli.shell, cli.terminal, cli.verb, dialects.runai, org.snakeyaml.engine.
 */
package fairlead.cli.runai;
