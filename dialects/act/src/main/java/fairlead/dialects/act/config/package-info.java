/**
 * What the config files of ACT and of Philly both say: where code and data are, where jobs run, and
 * where such files are looked for.
 *
 * <p>Touches: dialects.yaml.
 */
package fairlead.dialects.act.config;
