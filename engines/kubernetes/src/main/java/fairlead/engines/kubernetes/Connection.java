package fairlead.engines.kubernetes;

import fairlead.engine.EngineException;
import fairlead.engines.kubernetes.apiserver.Problems;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;

import java.nio.file.Files;
import java.nio.file.Path;

/** How the client is made: whom it talks to, and how long it tries. */
final class Connection {
    /** With its repeats a call takes at most twice as long, by fabric8's own rule. */
    private static final int REQUEST_TIMEOUT_MILLIS = 5_000;

    private static final int CONNECT_TIMEOUT_MILLIS = 3_000;

    /** 0.2, 0.4, 0.8 and 1.6 s: enough for a busy API server; a dead one is reported. */
    private static final int RETRIES_MAX = 4;

    private static final int RETRY_MILLIS = 200;

    /** Doubles up to 32 times: within 7 s after an API server has come back we watch it again. */
    private static final int WATCH_RETRY_MILLIS = 200;

    private Connection() {}

    /** Nothing is called yet, so it does not matter whether the cluster is there. */
    static KubernetesClient open(KubernetesSettings settings) throws EngineException {
        Config config;
        try {
            config = config(settings);
        } catch (KubernetesClientException | IllegalArgumentException problem) {
            throw new EngineException(
                    "the kubeconfig of the cluster "
                            + settings.cluster()
                            + " cannot be used: "
                            + Problems.line(problem),
                    problem);
        }
        var bounded =
                new ConfigBuilder(config)
                        .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                        .withConnectionTimeout(CONNECT_TIMEOUT_MILLIS)
                        .withRequestRetryBackoffLimit(RETRIES_MAX)
                        .withRequestRetryBackoffInterval(RETRY_MILLIS)
                        .withWatchReconnectInterval(WATCH_RETRY_MILLIS)
                        // Go's servers allow 250 streams on one connection, and a log is one.
                        .withHttp2Disable(true)
                        // Over WebSocket the JDK's client often never notices that one was cut.
                        .withOnlyHttpWatches(true)
                        .build();
        return new KubernetesClientBuilder()
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withConfig(bounded)
                .build();
    }

    private static Config config(KubernetesSettings settings) throws EngineException {
        String context = settings.context().orElse(null);
        if (settings.kubeconfig().isEmpty()) return Config.autoConfigure(context);
        Path file = settings.kubeconfig().get();
        if (!Files.isReadable(file))
            throw new EngineException(
                    "the kubeconfig of the cluster "
                            + settings.cluster()
                            + " cannot be read: "
                            + file);
        return Config.fromKubeconfig(context, file.toFile());
    }
}
