/**
 * What is done around the launch of an attempt: the hooks of dialects, folders, code, logins and
 * the variables that all tasks have. Touches core, api, auth, wire and storages.
 */
package fairlead.server.launch;
