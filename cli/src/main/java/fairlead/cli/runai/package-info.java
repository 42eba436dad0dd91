/**
 * The command of Run:ai and its verbs.
 *
 * <p>Touches: api, cli, cli.job, cli.server, cli.verb, dialects.runai, org.snakeyaml.engine.
 */
package fairlead.cli.runai;
