/**
 * Job files: YAML or JSON in, of our own kind, of OpenPAI or a pod; specs out, and where each field
 * stands.
 *
 * <p>Touches: api.spec, api.submit, api.words, dialects.openpai, dialects.pods, dialects.yaml,
 * io.avaje.json, org.snakeyaml.engine.
 */
package fairlead.dialects.jobfile;
