/**
 * The pod files of Kubernetes: a document in, a spec out.
 *
 * <p>Touches: api, org.snakeyaml.engine.
 */
package fairlead.dialects.pods;
