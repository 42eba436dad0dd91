/** Containers of Azure Blob Storage. Touches the storage port and Azure's client. */
package fairlead.storage.azureblob;
