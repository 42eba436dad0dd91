/**
 * OpenPAI's job files and what its users see of a job, as pure functions: text in, a job out.
 * Touches api and its JSON reader.
 */
package fairlead.dialects.openpai;
