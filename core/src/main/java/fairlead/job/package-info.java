/**
 * A job's words and its life: what is asked, where it stands, what happened.
 *
 * <p>Touches: nothing.
 */
package fairlead.job;
