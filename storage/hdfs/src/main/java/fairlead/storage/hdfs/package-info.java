/**
 * Folders of an HDFS.
 *
 * <p>Touches: storage, org.apache.hadoop.
 */
package fairlead.storage.hdfs;
