/**
 * Job files: YAML or JSON in, spec out, and back. Touches api, its JSON reader, dialects and YAML.
 */
package fairlead.cli.spec;
