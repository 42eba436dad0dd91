/** The wire: records as they travel in JSON, error codes, and the client. Touches JSON only. */
package fairlead.api;
