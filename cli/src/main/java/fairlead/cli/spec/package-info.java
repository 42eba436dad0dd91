/**
 * Job files: YAML or JSON in, spec out, and back.
 *
 * <p>Touches: api.json, api.spec, api.words, cli.terminal, dialects.openpai, dialects.pods,
 * dialects.yaml, io.avaje.json, org.snakeyaml.engine.
 */
package fairlead.cli.spec;
