/**
 * Engine: attempts as command jobs of an Azure ML workspace.
 *
 * <p>Touches: cluster, engine, engine.remote, engines.azureml.rest, job.
 */
package fairlead.engines.azureml;
