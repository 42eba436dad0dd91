/**
 * Calls to Azure's REST interfaces: who calls, what is read and written, and what errors mean.
 *
 * <p>Touches: com.azure.
 */
package fairlead.engines.azureml.rest;
