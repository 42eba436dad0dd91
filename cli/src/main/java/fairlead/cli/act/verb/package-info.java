/**
 * The verbs that ACT's users know.
 *
 * <p>Touches: api, api.client, api.clusters, api.spec, api.words, cli.act, cli.act.assets, cli.job,
 * cli.line, cli.shell, cli.terminal, cli.verb, dialects.act, dialects.act.config, dialects.act.log,
 * dialects.yaml.
 */
package fairlead.cli.act.verb;
