/** Where a server keeps its facts: SQLite in one file. Touches the journal port and the wire. */
package fairlead.server.journal;
