/**
 * The commands of the Kubernetes DL scheduler: words in, a spec out.
 *
 * <p>Touches: api.
 */
package fairlead.dialects.dlscheduler;
