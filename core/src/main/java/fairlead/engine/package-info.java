/** Port: where attempts run. Touches job and cluster. */
package fairlead.engine;
