/**
 * What of a folder belongs to its archive, and the archive in pieces that are known by their
 * content.
 *
 * <p>Touches: storage.
 */
package fairlead.transfer.pack;
