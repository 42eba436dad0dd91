/**
 * What ACT adds to our own verbs: config files, its submit and its jobs.
 *
 * <p>Touches: cli.job, cli.line, cli.terminal, dialects.act, dialects.act.config, dialects.philly,
 * dialects.yaml, api, api.client, api.spec.
 */
package fairlead.cli.act;
