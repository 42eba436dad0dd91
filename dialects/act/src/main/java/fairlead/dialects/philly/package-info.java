/**
 * The config files of Philly. Its jobs are those of ACT.
 *
 * <p>Touches: dialects.act.config, dialects.yaml.
 */
package fairlead.dialects.philly;
