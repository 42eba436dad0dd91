/** Port: where users' code and data live. Touches job. */
package fairlead.storage;
