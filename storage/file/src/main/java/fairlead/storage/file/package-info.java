/**
 * Files of this machine, local or mounted.
 *
 * <p>Touches: storage.
 */
package fairlead.storage.file;
