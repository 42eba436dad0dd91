/**
 * The program behind the verbs that move code and data, a JVM of its own. Touches the storage port,
 * storage/file and the config files of dialects/act; other storages are found as services.
 */
package fairlead.data;
