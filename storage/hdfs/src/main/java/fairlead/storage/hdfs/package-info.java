/** Folders of an HDFS. Touches the storage port and Hadoop's client. */
package fairlead.storage.hdfs;
