/**
 * Who runs next and where, and why the others wait.
 *
 * <p>Touches: cluster, job.
 */
package fairlead.policy;
