/**
 * Containers of Azure Blob Storage.
 *
 * <p>Touches: storage, com.azure, reactor.core.
 */
package fairlead.storage.azureblob;
