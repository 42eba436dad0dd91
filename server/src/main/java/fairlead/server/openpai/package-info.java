/**
 * OpenPAI's REST interface over our people, projects and jobs, which are its users, virtual
 * clusters and jobs. Keeps nothing of its own but which jobs are to go once they have stopped.
 *
 * <p>Touches: nothing.
 */
package fairlead.server.openpai;
