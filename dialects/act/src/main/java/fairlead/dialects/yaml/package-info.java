/**
 * YAML files, read with bounds: every value knows its line, every mistake is told with its own.
 *
 * <p>Touches: api.words, org.snakeyaml.engine.
 */
package fairlead.dialects.yaml;
