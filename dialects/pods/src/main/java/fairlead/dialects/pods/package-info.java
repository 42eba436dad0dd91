/** The pod files of Kubernetes: a document in, a spec out. Touches api and the YAML library. */
package fairlead.dialects.pods;
