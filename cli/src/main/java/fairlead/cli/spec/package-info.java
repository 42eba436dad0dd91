/**
 * Job files: YAML or JSON in, spec out, and back.
 *
 * <p>Touches: cli.terminal, dialects.yaml, api.json, api.spec, api.words, dialects.openpai,
 * dialects.pods, io.avaje.json, org.snakeyaml.engine.
 */
package fairlead.cli.spec;
