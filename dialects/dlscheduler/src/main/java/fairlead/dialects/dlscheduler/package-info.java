/**
 * The commands of the Kubernetes DL scheduler: words in, a spec out.
 *
 * <p>Touches: api, api.spec, api.submit, api.view, api.words.
 */
package fairlead.dialects.dlscheduler;
