package fairlead.server;

import fairlead.engine.MoreVariables;
import fairlead.engines.kubernetes.KubernetesSettings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One cluster of a server: its name, and what is set about the engine that runs its jobs. */
public sealed interface ClusterSettings {
    String name();

    /** The engine's word in the settings. */
    String engine();

    /** How the namespaces of projects are called; empty where there are none. */
    default Optional<String> namespaces() {
        return Optional.empty();
    }

    /** This machine. Its GPUs and their memory are set for the whole server. */
    record Local(String name) implements ClusterSettings {
        static final String ENGINE = "local";

        @Override
        public String engine() {
            return ENGINE;
        }
    }

    /** A Kubernetes cluster; each value as {@link KubernetesSettings} has it. */
    record Kubernetes(
            String name,
            Optional<Path> kubeconfig,
            Optional<String> context,
            String namespace,
            Optional<String> image,
            String reservationImage,
            List<String> pullSecrets,
            List<String> tolerations,
            List<String> hostPaths,
            KubernetesSettings.Rules rules,
            Duration startPatience)
            implements ClusterSettings {
        static final String ENGINE = "kubernetes";

        public Kubernetes {
            pullSecrets = List.copyOf(pullSecrets);
            tolerations = List.copyOf(tolerations);
            hostPaths = List.copyOf(hostPaths);
        }

        @Override
        public String engine() {
            return ENGINE;
        }

        @Override
        public Optional<String> namespaces() {
            return Optional.of(namespace);
        }

        /** What its engine wants to know. */
        KubernetesSettings settings(Path home, long logBytes, MoreVariables more) {
            return new KubernetesSettings(
                    home,
                    name,
                    kubeconfig,
                    context,
                    namespace,
                    image,
                    reservationImage,
                    pullSecrets,
                    tolerations,
                    hostPaths,
                    rules,
                    startPatience,
                    logBytes,
                    more);
        }
    }

    /**
     * A cluster whose engine is loaded when it is asked for.
     *
     * @param lines what its lines say, by their keys; numbers are bytes and milliseconds
     */
    record Loaded(String name, String engine, Map<String, String> lines)
            implements ClusterSettings {
        static final String YARN = "yarn";
        static final String AZUREML = "azureml";

        public Loaded {
            lines = Map.copyOf(lines);
        }
    }
}
