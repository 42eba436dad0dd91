/** Files of this machine, local or mounted. Touches the storage port. */
package fairlead.storage.file;
