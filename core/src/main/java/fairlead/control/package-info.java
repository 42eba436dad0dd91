/** The loop that owns job state: ticks, owns no thread. Touches all of core. */
package fairlead.control;
