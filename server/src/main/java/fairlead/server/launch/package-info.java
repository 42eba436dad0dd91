/**
 * What is done around the launch of an attempt: the hooks of dialects, folders, code, logins and
 * the variables that all tasks have.
 *
 * <p>Touches: nothing.
 */
package fairlead.server.launch;
