package fairlead.server;

import fairlead.wire.Units;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A program for {@code fairlead config}: what a server with these flags would have, one setting a
 * line: its key, its value and where that comes from, with tabs between them.
 */
public final class ShowSettings {
    private static final String OWN_CERTIFICATE = "one that the server makes itself";
    private static final String NONE = "none";

    private ShowSettings() {}

    public static void main(String[] arguments) {
        try {
            System.out.print(text(List.of(arguments)));
        } catch (StartException wrong) {
            System.err.println("fairlead: " + wrong.getMessage());
            System.err.flush();
            System.exit(wrong.exitCode());
        }
    }

    static String text(List<String> arguments) throws StartException {
        Settings.Start start = Settings.read(arguments);
        Entries entries = start.entries();
        var text = new StringBuilder();
        for (String key : Settings.KEYS)
            line(text, key, value(key, start.settings(), start.home()), entries.source(key));
        for (String key : entries.keys()) {
            if (!Settings.KEYS.contains(key))
                line(text, key, entries.text(key), entries.source(key));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String key, String value, Optional<String> from) {
        text.append(key).append('\t').append(value.replaceAll("[\\t\\n]", " ")).append('\t');
        text.append(from.orElse("default")).append('\n');
    }

    private static String value(String key, Settings settings, Path home) {
        return switch (key) {
            case "gpus" ->
                    settings.gpus().isPresent()
                            ? "" + settings.gpus().getAsInt()
                            : "those that the NVIDIA driver shows";
            case "gpu-memory" ->
                    settings.gpuMemoryBytes() == 0
                            ? "unknown"
                            : Units.text(settings.gpuMemoryBytes());
            case "policy" -> settings.policy();
            case "host" -> settings.host();
            case "port" -> settings.port() == 0 ? "any free one" : "" + settings.port();
            case "url" -> settings.url().orElse("where it listens");
            case "log-bytes" -> Units.text(settings.logBytes());
            case "stop-grace" -> Units.text(settings.stopGrace());
            case "undisturbed" -> Units.text(settings.undisturbed());
            case "keep" -> Units.text(settings.keep());
            case "copies" -> "" + settings.copies();
            case "images" -> settings.containers().required() ? "required" : "if-possible";
            case "container-program" ->
                    settings.containers().program().isEmpty()
                            ? "podman or docker, the first that works"
                            : settings.containers().program();
            case "openpai-fs" -> settings.openPaiFs(home);
            case "memory" ->
                    settings.memoryBytes().isPresent()
                            ? Units.text(settings.memoryBytes().getAsLong())
                            : "a quarter of the machine's, 4G at most";
            case "accounts" -> words(settings.accounts());
            case "guests" ->
                    settings.guests()
                            .map(yes -> yes ? "yes" : "no")
                            .orElse("yes where host and url are loopback, otherwise no");
            case "names" -> words(settings.names());
            case "origins" -> words(settings.origins());
            case "tls" -> settings.team().isEncrypted(settings.host()) ? "yes" : "no";
            case "certificate" ->
                    settings.team().certificate().map(Path::toString).orElse(OWN_CERTIFICATE);
            case "certificate-key" ->
                    settings.team().key().map(Path::toString).orElse(OWN_CERTIFICATE);
            case "requests-per-person" ->
                    settings.team().limits().requestsPerSecond() + " a second";
            case "streams-per-person" -> "" + settings.team().limits().streams();
            case "keep-audit" -> Units.text(settings.team().keepAudit());
            case "azure-cloud" -> settings.azureCloud();
            case ClusterEntries.KEY ->
                    words(settings.clusters().stream().map(ClusterSettings::name).toList());
            default -> throw new IllegalArgumentException("no setting " + key);
        };
    }

    private static String words(Collection<String> all) {
        return all.isEmpty() ? NONE : all.stream().sorted().collect(Collectors.joining(", "));
    }
}
