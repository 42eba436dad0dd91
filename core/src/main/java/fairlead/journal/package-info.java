/** Port: where facts are kept. Touches job. */
package fairlead.journal;
