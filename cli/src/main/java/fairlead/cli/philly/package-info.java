/**
 * The command of Philly and its verbs.
 *
 * <p>Touches: api, cli, cli.act, cli.act.assets, cli.act.verb, cli.job, cli.spec, cli.verb,
 * dialects.act, dialects.act.log.
 */
package fairlead.cli.philly;
