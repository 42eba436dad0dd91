package fairlead.server;

import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.EngineProvider;
import fairlead.engine.MoreVariables;
import fairlead.engines.kubernetes.KubernetesEngine;
import fairlead.engines.local.LocalEngine;
import fairlead.engines.local.LocalSettings;
import fairlead.server.launch.CodeFolders;
import fairlead.server.launch.JarsBeside;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Opens the engines of a server's clusters. What an engine brings along is loaded only where a
 * cluster has it, so a server of this machine alone starts without a Kubernetes client.
 */
final class Engines {
    /** The folder with Hadoop's client, which the storage for HDFS needs too. */
    private static final String HADOOP = "hdfs";

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

    /** Of one cluster. */
    static Engine open(ClusterSettings cluster, Settings settings, Home home, MoreVariables more)
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
            case ClusterSettings.Loaded loaded ->
                    provider(loaded.engine())
                            .open(
                                    new EngineProvider.Place(
                                            home.engine(loaded.name()),
                                            loaded.name(),
                                            CodeFolders.in(home.path()),
                                            settings.logBytes(),
                                            more),
                                    loaded.lines());
        };
    }

    private static EngineProvider provider(String engine) throws EngineException {
        boolean isYarn = engine.equals(ClusterSettings.Loaded.YARN);
        String[] folders = isYarn ? new String[] {engine, HADOOP} : new String[] {engine};
        try {
            return JarsBeside.ours()
                    .services(EngineProvider.class, folders)
                    .filter(provider -> provider.engine().equals(engine))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new EngineException(
                                            "this installation has no engine %s: its folder lib/%s is missing"
                                                    .formatted(engine, engine)));
        } catch (IOException problem) {
            throw new EngineException(
                    "the engine %s cannot be loaded: %s".formatted(engine, problem.getMessage()),
                    problem);
        }
    }
}
