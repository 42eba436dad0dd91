/**
 * The parts of a job as JSON, one codec for the journal and for snapshots.
 *
 * <p>Touches: api.json, job, io.avaje.json.
 */
package fairlead.wire.parts;
