/**
 * The config files of ACT and Philly: read, checked, and turned into what a job is made from.
 *
 * <p>Touches: api, org.snakeyaml.engine.
 */
package fairlead.dialects.act;
