/** The parts of a job as JSON, one codec for the journal and for snapshots. Touches core, api. */
package fairlead.server.parts;
