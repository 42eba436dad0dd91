/**
 * What ACT adds to our own verbs: config files, its submit and its jobs.
 *
 * <p>Touches: api, cli, cli.job, dialects.act.
 */
package fairlead.cli.act;
