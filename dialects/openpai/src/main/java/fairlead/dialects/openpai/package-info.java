/**
 * OpenPAI's job files and what its users see of a job, as pure functions: text in, a job out.
 *
 * <p>Touches: api, io.avaje.json.
 */
package fairlead.dialects.openpai;
