/** A team's own past as a trace for the simulator. Touches core, the journal and the simulator. */
package fairlead.server.history;
