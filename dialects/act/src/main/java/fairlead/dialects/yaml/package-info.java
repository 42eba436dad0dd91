/**
 * YAML files, read with bounds: every value knows its line, every message about a mistake names it.
 *
 * <p>Touches: api.words, org.snakeyaml.engine.
 */
package fairlead.dialects.yaml;
