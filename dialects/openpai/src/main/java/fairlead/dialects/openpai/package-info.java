/**
 * OpenPAI's job files, what its users see of a job, and the origin and the launch of its jobs, as
 * pure functions.
 *
 * <p>Touches: api.json, api.launch, api.spec, api.view, api.words, io.avaje.json.
 */
package fairlead.dialects.openpai;
