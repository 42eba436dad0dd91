package fairlead.api.clusters;

import io.avaje.jsonb.Json;

import java.util.Map;

/**
 * A cluster that is to be there, and is made where it is not.
 *
 * @param name what it is called if nothing else is called so
 * @param engine what runs its jobs; only azureml can be made while the server runs
 * @param settings as the lines of the server's file say them, without the cluster's name
 */
@Json
public record ClusterRequest(String name, String engine, Map<String, String> settings) {}
