/**
 * The verbs that ACT's users know.
 *
 * <p>Touches: api, cli, cli.act, cli.act.assets, cli.job, cli.verb, dialects.act, dialects.act.log.
 */
package fairlead.cli.act.verb;
