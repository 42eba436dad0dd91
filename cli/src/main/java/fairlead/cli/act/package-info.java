/**
 * What ACT adds to our own verbs: config files, its submit and its jobs.
 *
 * <p>Touches: api, api.client, api.clusters, api.people, api.spec, cli.job, cli.line, cli.terminal,
 * dialects.act, dialects.act.config, dialects.philly, dialects.yaml.
 */
package fairlead.cli.act;
