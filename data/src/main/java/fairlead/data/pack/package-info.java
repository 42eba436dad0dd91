/**
 * What of a folder belongs to its archive, and the archive in pieces that are known by their
 * content. Touches the storage port alone.
 */
package fairlead.data.pack;
