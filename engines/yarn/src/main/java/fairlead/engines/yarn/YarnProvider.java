package fairlead.engines.yarn;

import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.EngineProvider;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Opens the engines of YARN clusters for a server. */
public final class YarnProvider implements EngineProvider {
    @Override
    public String engine() {
        return "yarn";
    }

    @Override
    public Engine open(Place place, Map<String, String> settings) throws EngineException {
        return YarnEngine.open(
                new YarnSettings(
                        place.home(),
                        place.cluster(),
                        Path.of(settings.get("conf")),
                        settings.getOrDefault("queue", YarnSettings.QUEUE),
                        Optional.ofNullable(settings.get("staging")),
                        Optional.ofNullable(settings.get("java")),
                        Boolean.parseBoolean(settings.get("docker")),
                        number(settings, "task-memory", YarnSettings.TASK_MEMORY_BYTES),
                        Duration.ofMillis(
                                number(
                                        settings,
                                        "start-patience",
                                        YarnSettings.START_PATIENCE.toMillis())),
                        YarnSettings.LINGER,
                        Duration.ofMillis(number(settings, "poll", YarnSettings.POLL.toMillis())),
                        Optional.of(place.code()),
                        place.logBytesMax(),
                        place.more()));
    }

    private static long number(Map<String, String> settings, String key, long otherwise) {
        String text = settings.get(key);
        return text == null ? otherwise : Long.parseLong(text);
    }
}
