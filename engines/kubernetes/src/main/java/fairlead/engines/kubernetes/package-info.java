/**
 * Engine: tasks as pods of a Kubernetes cluster.
 *
 * <p>Touches: cluster, engine, engine.remote, engines.kubernetes.apiserver,
 * engines.kubernetes.logs, job, com.fasterxml, io.fabric8.
 */
package fairlead.engines.kubernetes;
