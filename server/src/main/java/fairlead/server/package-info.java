/**
 * The program: settings, home folder, log, and the wiring of everything. The one room that sees
 * all.
 */
package fairlead.server;
