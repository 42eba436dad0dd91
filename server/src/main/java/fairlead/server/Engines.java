package fairlead.server;

import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.MoreVariables;
import fairlead.engines.kubernetes.KubernetesEngine;
import fairlead.engines.local.LocalEngine;
import fairlead.engines.local.LocalSettings;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Opens the engines of a server's clusters. What an engine brings along is loaded only where a
 * cluster has it, so a server of this machine alone starts without a Kubernetes client.
 */
final class Engines {
    private Engines() {}

    /**
     * By cluster, in the order of the settings. When one cannot be opened, none is.
     *
     * @param more that the tasks of dialects' jobs find
     */
    static Map<String, Engine> open(Settings settings, Home home, MoreVariables more)
            throws EngineException {
        var engines = new LinkedHashMap<String, Engine>();
        try {
            for (ClusterSettings cluster : settings.clusters()) {
                engines.put(cluster.name(), open(cluster, settings, home, more));
            }
            return engines;
        } catch (EngineException failure) {
            engines.values().forEach(Engine::close);
            throw failure;
        }
    }

    private static Engine open(
            ClusterSettings cluster, Settings settings, Home home, MoreVariables more)
            throws EngineException {
        return switch (cluster) {
            case ClusterSettings.Local local ->
                    LocalEngine.open(
                            new LocalSettings(
                                    home.engine(local.name()),
                                    settings.gpus(),
                                    settings.gpuMemoryBytes(),
                                    settings.logBytes(),
                                    settings.containers(),
                                    more));
            case ClusterSettings.Kubernetes kubernetes ->
                    KubernetesEngine.open(
                            kubernetes.settings(
                                    home.engine(kubernetes.name()), settings.logBytes(), more));
        };
    }
}
