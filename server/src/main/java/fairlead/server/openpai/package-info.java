/**
 * OpenPAI's REST interface over our people and projects, which are its users and virtual clusters.
 * Keeps nothing of its own. Touches http, auth, wire, control and core.
 */
package fairlead.server.openpai;
