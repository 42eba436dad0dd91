/**
 * Who runs next and where, and why the others wait: the words that all policies share, what a plan
 * in the making has left to give, and the check of every plan.
 *
 * <p>Touches: cluster, job.
 */
package fairlead.policy;
