/**
 * OpenPAI's REST interface over our people, projects and jobs, which are its users, virtual
 * clusters and jobs. Keeps nothing of its own but which jobs are to go once they have stopped.
 * Touches http, auth, launch, runtime, wire, the OpenPAI dialect, control and core.
 */
package fairlead.server.openpai;
