package fairlead.server;

import fairlead.cluster.Rules;
import fairlead.job.Limits;
import fairlead.job.SpecException;
import fairlead.policy.Policies;
import fairlead.server.wire.Units;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Everything that can be set, read once at the start: from the file {@code settings} in the home
 * folder, one {@code key = value} a line, and from flags, which go before the file.
 *
 * @param gpus how many GPUs to declare; empty: those that the driver shows
 * @param gpuMemoryBytes of each GPU that is declared and not there; zero when unknown
 * @param port 0 means any free one
 * @param logBytes how much of a task's log is kept
 * @param stopGrace between the polite stop of a task and the forced one
 * @param undisturbed how long an attempt runs at least before it may be preempted
 * @param keep how long finished jobs and their logs are kept
 */
public record Settings(
        OptionalInt gpus,
        long gpuMemoryBytes,
        String policy,
        String host,
        int port,
        long logBytes,
        Duration stopGrace,
        Duration undisturbed,
        Duration keep) {
    private static final List<String> KEYS =
            List.of(
                    "gpus",
                    "gpu-memory",
                    "policy",
                    "host",
                    "port",
                    "log-bytes",
                    "stop-grace",
                    "undisturbed",
                    "keep");

    private static final long LOG_BYTES_LEAST = 64 * 1024;

    /** The least part of a GPU that a job can ask for: less is a mistake in the unit. */
    private static final long GPU_MEMORY_LEAST = 100L << 20;

    static final Settings DEFAULT =
            new Settings(
                    OptionalInt.empty(),
                    0,
                    Policies.DEFAULT,
                    "127.0.0.1",
                    0,
                    256L << 20,
                    Duration.ofSeconds(30),
                    Rules.UNDISTURBED,
                    Duration.ofDays(30));

    /** Which home folder, and what its settings are. */
    record Start(Path home, Settings settings) {}

    /** Reads the flags and then the home's file. */
    static Start read(List<String> arguments) throws StartException {
        var flags = new LinkedHashMap<String, String>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String flag = arguments.get(i);
            if (!flag.startsWith("--") || !isKnown(flag.substring(2)))
                throw usage("unknown flag '" + flag + "'; known: --home, --" + known(", --"));
            if (i + 1 == arguments.size()) throw usage(flag + " needs a value");
            flags.put(flag.substring(2), arguments.get(i + 1));
        }
        String folder = flags.remove("home");
        if (folder == null) throw usage("--home DIR is missing");
        Path home = Path.of(folder).toAbsolutePath().normalize();
        Map<String, String> values = file(home.resolve("settings"));
        values.putAll(flags);
        return new Start(home, of(values));
    }

    private static boolean isKnown(String flag) {
        return flag.equals("home") || KEYS.contains(flag);
    }

    private static String known(String separator) {
        return String.join(separator, KEYS);
    }

    private static Map<String, String> file(Path file) throws StartException {
        var values = new LinkedHashMap<String, String>();
        if (!Files.exists(file)) return values;
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw usage(file + " cannot be read: " + unreadable.getMessage());
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) continue;
            String where = file + " line " + (i + 1) + ": ";
            int equals = line.indexOf('=');
            if (equals < 1) throw usage(where + "expected 'key = value', but is '" + line + "'");
            String key = line.substring(0, equals).strip();
            if (!KEYS.contains(key))
                throw usage(where + "unknown key '" + key + "'; known: " + known(", "));
            if (values.put(key, line.substring(equals + 1).strip()) != null)
                throw usage(where + "'" + key + "' stands twice");
        }
        return values;
    }

    static Settings of(Map<String, String> values) throws StartException {
        try {
            return new Settings(
                    values.containsKey("gpus")
                            ? OptionalInt.of(number(values, "gpus", 0, 0, Limits.GPUS_PER_TASK_MAX))
                            : DEFAULT.gpus,
                    gpuMemory(values),
                    policy(values.getOrDefault("policy", DEFAULT.policy)),
                    values.getOrDefault("host", DEFAULT.host),
                    number(values, "port", DEFAULT.port, 0, 65_535),
                    logBytes(values),
                    duration(values, "stop-grace", DEFAULT.stopGrace),
                    duration(values, "undisturbed", DEFAULT.undisturbed),
                    duration(values, "keep", DEFAULT.keep));
        } catch (IllegalArgumentException bad) {
            throw usage(bad.getMessage());
        }
    }

    private static String policy(String name) {
        Policies.byName(name);
        return name;
    }

    private static int number(
            Map<String, String> values, String key, int otherwise, int least, int most) {
        String text = values.get(key);
        if (text == null) return otherwise;
        if (text.matches("\\d{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) return number;
        }
        throw new IllegalArgumentException(
                "%s: must be a whole number from %d to %d, but is '%s'"
                        .formatted(key, least, most, text));
    }

    private static long gpuMemory(Map<String, String> values) {
        if (!values.containsKey("gpu-memory")) return DEFAULT.gpuMemoryBytes;
        long bytes = Units.bytes(values.get("gpu-memory"), "gpu-memory");
        SpecException.unless(
                bytes >= GPU_MEMORY_LEAST,
                "gpu-memory",
                "must be at least " + Units.text(GPU_MEMORY_LEAST));
        return bytes;
    }

    private static long logBytes(Map<String, String> values) {
        if (!values.containsKey("log-bytes")) return DEFAULT.logBytes;
        long bytes = Units.bytes(values.get("log-bytes"), "log-bytes");
        SpecException.unless(
                bytes >= LOG_BYTES_LEAST, "log-bytes", "must be at least " + LOG_BYTES_LEAST);
        return bytes;
    }

    private static Duration duration(Map<String, String> values, String key, Duration otherwise) {
        return values.containsKey(key) ? Units.duration(values.get(key), key) : otherwise;
    }

    private static StartException usage(String message) {
        return new StartException(StartException.USAGE, message);
    }
}
