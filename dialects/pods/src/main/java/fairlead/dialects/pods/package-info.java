/**
 * The pod files of Kubernetes: a document in, a spec out.
 *
 * <p>Touches: api.spec, api.words, org.snakeyaml.engine.
 */
package fairlead.dialects.pods;
