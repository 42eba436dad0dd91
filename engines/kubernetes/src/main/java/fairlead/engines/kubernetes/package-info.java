/** Engine: tasks as pods of a Kubernetes cluster. Touches the engine port. */
package fairlead.engines.kubernetes;
