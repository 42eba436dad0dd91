/** What ACT reads from the logs of its jobs: ranks, errors, speed. Touches nothing but the JDK. */
package fairlead.dialects.act.log;
