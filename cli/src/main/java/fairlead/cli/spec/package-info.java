/**
 * Job files: YAML or JSON in, spec out, and back.
 *
 * <p>Touches: api.json, api.spec, cli.terminal, dialects.jobfile, io.avaje.json.
 */
package fairlead.cli.spec;
