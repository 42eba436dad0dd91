/**
 * Engine: tasks as pods of a Kubernetes cluster.
 *
 * <p>Touches: cluster, engine, job, io.fabric8.
 */
package fairlead.engines.kubernetes;
