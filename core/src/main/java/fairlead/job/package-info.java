/** A job's words and its life: what is asked, where it stands, what happened. Touches nothing. */
package fairlead.job;
