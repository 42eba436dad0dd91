/**
 * The command of Philly and its verbs.
 *
 * <p>Touches: api, api.client, api.clusters, api.people, api.spec, cli.act, cli.act.assets,
 * cli.act.verb, cli.job, cli.line, cli.shell, cli.spec, cli.terminal, dialects.act,
 * dialects.act.config, dialects.act.log, dialects.philly, dialects.yaml.
 */
package fairlead.cli.philly;
