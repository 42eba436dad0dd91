package fairlead.server;

import fairlead.cluster.Rules;
import fairlead.engines.local.Machine;
import fairlead.engines.local.container.ContainerSettings;
import fairlead.job.JobSpec;
import fairlead.job.Limits;
import fairlead.job.SpecException;
import fairlead.policies.Policies;
import fairlead.storage.Address;
import fairlead.storage.StorageException;
import fairlead.wire.Units;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Everything that can be set, read once at the start: from the file {@code settings} in the home
 * folder, one {@code key = value} a line, and from flags, which go before the file.
 *
 * @param gpus how many GPUs to declare; empty: those that the driver shows
 * @param gpuMemoryBytes of each GPU that is declared and not there; zero when unknown
 * @param port 0 means any free one
 * @param url where tasks and people on other machines find the server; empty: where it listens
 * @param logBytes how much of a task's log is kept
 * @param stopGrace between the polite stop of a task and the forced one
 * @param undisturbed how long an attempt runs at least before it may be preempted
 * @param containers whether tasks of this machine become containers of their images
 * @param keep how long finished jobs and their logs are kept
 * @param copies how many automatic copies of the journal are kept; 0 makes none
 * @param openPaiFs what {@code $PAI_DEFAULT_FS_URI} stands for; empty: a folder of the home
 * @param memoryBytes of the heap, which whoever starts the process gives it; empty: a share of the
 *     machine's
 * @param accounts of this machine, as which a server of root's runs everybody's jobs that name one
 * @param guests whether OpenPAI's lists need no token; empty: where nobody comes from elsewhere
 * @param names what else the server is called, by those who come without a token
 * @param origins of pages elsewhere that may call the server
 * @param azureCloud where the computes of Azure ML are that config files of ACT name
 * @param team what is set for several people
 * @param clusters at least one; the first is that of jobs that name none
 */
public record Settings(
        OptionalInt gpus,
        long gpuMemoryBytes,
        String policy,
        String host,
        int port,
        Optional<String> url,
        long logBytes,
        Duration stopGrace,
        Duration undisturbed,
        Duration keep,
        int copies,
        ContainerSettings containers,
        Optional<String> openPaiFs,
        OptionalLong memoryBytes,
        Set<String> accounts,
        Optional<Boolean> guests,
        Set<String> names,
        Set<String> origins,
        String azureCloud,
        TeamSettings team,
        List<ClusterSettings> clusters) {
    static final List<String> KEYS =
            List.of(
                    "gpus",
                    "gpu-memory",
                    "policy",
                    "host",
                    "port",
                    "url",
                    "log-bytes",
                    "stop-grace",
                    "undisturbed",
                    "keep",
                    "copies",
                    "images",
                    "container-program",
                    "openpai-fs",
                    "memory",
                    "accounts",
                    "guests",
                    "names",
                    "origins",
                    "tls",
                    "certificate",
                    "certificate-key",
                    "requests-per-person",
                    "streams-per-person",
                    "keep-audit",
                    "azure-cloud",
                    ClusterEntries.KEY);

    /** One a day: more than a year of them is a backup, which belongs on another disk. */
    private static final int COPIES_MAX = 366;

    /** Not a setting: a line in a file would mean it at every start. */
    private static final String NEW_JOURNAL = "--new-journal";

    private static final String LOG_TO_STDOUT = "--log-to-stdout";

    private static final long LOG_BYTES_LEAST = 64 * 1024;

    /** Twice what a server without jobs needs. */
    private static final long MEMORY_LEAST = 64L << 20;

    /** The least part of a GPU that a job can ask for: less is a mistake in the unit. */
    private static final long GPU_MEMORY_LEAST = 100L << 20;

    /** Without a path: calls append their own. */
    private static final Pattern URL =
            Pattern.compile("https?://(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(:\\d{1,5})?/?");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,253}");

    static final Settings DEFAULT =
            new Settings(
                    OptionalInt.empty(),
                    0,
                    Policies.DEFAULT,
                    "127.0.0.1",
                    0,
                    Optional.empty(),
                    256L << 20,
                    Rules.STOP_GRACE,
                    Rules.UNDISTURBED,
                    Duration.ofDays(30),
                    3,
                    ContainerSettings.IF_POSSIBLE,
                    Optional.empty(),
                    OptionalLong.empty(),
                    Set.of(),
                    Optional.empty(),
                    Set.of(),
                    Set.of(),
                    ClusterEntries.PUBLIC_CLOUD,
                    TeamSettings.DEFAULT,
                    List.of(new ClusterSettings.Local(ClusterSettings.Local.ENGINE)));

    public Settings {
        accounts = Set.copyOf(accounts);
        names = Set.copyOf(names);
        origins = Set.copyOf(origins);
        clusters = List.copyOf(clusters);
    }

    /**
     * Which home folder, and what its settings are.
     *
     * @param entries where each setting comes from
     * @param isNewJournal whether a used home may begin with a new journal
     * @param isLoggedTwice whether the log also goes to the standard output, as containers have it
     */
    record Start(
            Path home,
            Settings settings,
            Entries entries,
            boolean isNewJournal,
            boolean isLoggedTwice) {}

    /** Reads the flags and then the home's file. */
    static Start read(List<String> arguments) throws StartException {
        var flags = new LinkedHashMap<String, String>();
        boolean isNewJournal = arguments.contains(NEW_JOURNAL);
        boolean isLoggedTwice = arguments.contains(LOG_TO_STDOUT);
        List<String> pairs =
                arguments.stream()
                        .filter(word -> !List.of(NEW_JOURNAL, LOG_TO_STDOUT).contains(word))
                        .toList();
        for (int i = 0; i < pairs.size(); i += 2) {
            String flag = pairs.get(i);
            if (!flag.startsWith("--") || !isKnown(flag.substring(2)))
                throw usage(
                        "unknown flag '%s'; known: --home, --settings, %s, %s, --%s"
                                .formatted(flag, NEW_JOURNAL, LOG_TO_STDOUT, known(", --")));
            if (i + 1 == pairs.size()) throw usage(flag + " needs a value");
            flags.put(flag.substring(2), pairs.get(i + 1));
        }
        String folder = flags.remove("home");
        if (folder == null) throw usage("--home DIR is missing");
        Path home = Path.of(folder).toAbsolutePath().normalize();
        String file = flags.remove("settings");
        Entries entries = Entries.of(file == null ? home.resolve("settings") : Path.of(file));
        for (String key : entries.keys()) {
            if (!isKey(key))
                throw entries.mistake(key, "unknown key '" + key + "'; known: " + known(", "));
        }
        flags.forEach(entries::put);
        return new Start(home, of(entries), entries, isNewJournal, isLoggedTwice);
    }

    private static boolean isKnown(String flag) {
        return flag.equals("home") || flag.equals("settings") || isKey(flag);
    }

    private static boolean isKey(String key) {
        return KEYS.contains(key) || ClusterEntries.isOfCluster(key);
    }

    private static String known(String separator) {
        return String.join(separator, KEYS);
    }

    static Settings of(Map<String, String> values) throws StartException {
        var entries = new Entries();
        values.forEach(entries::put);
        return of(entries);
    }

    private static Settings of(Entries entries) throws StartException {
        Optional<Integer> gpus =
                entries.read("gpus", text -> number("gpus", text, Limits.GPUS_PER_TASK_MAX));
        var settings =
                new Settings(
                        gpus.isPresent() ? OptionalInt.of(gpus.get()) : DEFAULT.gpus,
                        entries.read("gpu-memory", Settings::gpuMemory)
                                .orElse(DEFAULT.gpuMemoryBytes),
                        entries.read("policy", Settings::policy).orElse(DEFAULT.policy),
                        entries.read("host", text -> text).orElse(DEFAULT.host),
                        entries.read("port", text -> number("port", text, 65_535))
                                .orElse(DEFAULT.port),
                        entries.read("url", Settings::url),
                        entries.read("log-bytes", Settings::logBytes).orElse(DEFAULT.logBytes),
                        duration(entries, "stop-grace", DEFAULT.stopGrace),
                        duration(entries, "undisturbed", DEFAULT.undisturbed),
                        duration(entries, "keep", DEFAULT.keep),
                        entries.read("copies", text -> number("copies", text, COPIES_MAX))
                                .orElse(DEFAULT.copies),
                        containers(entries),
                        entries.read("openpai-fs", Settings::openPaiFs),
                        entries.read("memory", Settings::memory)
                                .map(OptionalLong::of)
                                .orElse(DEFAULT.memoryBytes),
                        set(entries, "accounts", JobSpec.ACCOUNT, "trainer"),
                        entries.read("guests", text -> yes("guests", text)),
                        set(entries, "names", NAME, "gpu-box.lab.org"),
                        set(entries, "origins", URL, "https://portal.lab.org"),
                        entries.read(
                                        "azure-cloud",
                                        text -> ClusterEntries.cloud("azure-cloud", text))
                                .orElse(DEFAULT.azureCloud),
                        TeamSettings.read(entries),
                        ClusterEntries.read(entries));
        boolean isPlain = settings.url.filter(url -> url.startsWith("http:")).isPresent();
        if (isPlain && settings.team.isEncrypted(settings.host))
            throw entries.mistake(
                    "url",
                    "url: is http, but beyond loopback the server speaks TLS; make it https, or"
                            + " set 'tls = no' to stay with plain HTTP");
        return settings;
    }

    /** The same with more clusters, after those that are set. */
    Settings with(List<ClusterSettings> more) {
        var all = new ArrayList<>(clusters);
        all.addAll(more);
        return new Settings(
                gpus,
                gpuMemoryBytes,
                policy,
                host,
                port,
                url,
                logBytes,
                stopGrace,
                undisturbed,
                keep,
                copies,
                containers,
                openPaiFs,
                memoryBytes,
                accounts,
                guests,
                names,
                origins,
                azureCloud,
                team,
                all);
    }

    private static ContainerSettings containers(Entries entries) throws StartException {
        return new ContainerSettings(
                entries.read("container-program", Settings::containerProgram)
                        .orElse(DEFAULT.containers.program()),
                entries.read("images", Settings::isRequired).orElse(DEFAULT.containers.required()));
    }

    private static String containerProgram(String text) {
        if (text.matches("/.+|[A-Za-z0-9._-]+")) return text;
        throw new IllegalArgumentException(
                "container-program: must be a name such as podman, an absolute path, or none, but"
                        + " is '"
                        + text
                        + "'");
    }

    private static boolean isRequired(String text) {
        return switch (text) {
            case "required" -> true;
            case "if-possible" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "images: must be if-possible or required, but is '" + text + "'");
        };
    }

    private static String policy(String name) {
        Policies.byName(name);
        return name;
    }

    static int number(String key, String text, int most) {
        if (text.matches("\\d{1,9}")) {
            int number = Integer.parseInt(text);
            if (number <= most) return number;
        }
        throw new IllegalArgumentException(
                "%s: must be a whole number from 0 to %d, but is '%s'".formatted(key, most, text));
    }

    private static String url(String text) {
        if (URL.matcher(text).matches())
            return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        throw new IllegalArgumentException(
                "url: must be as in http://gpu-box:7300, but is '" + text + "'");
    }

    private static String openPaiFs(String text) {
        try {
            Address address = Address.of(text);
            boolean isFolder = address.scheme().equals("file") && address.authority().isEmpty();
            boolean isHdfs = address.scheme().equals("hdfs") && !address.authority().isEmpty();
            if (isFolder && !address.names().isEmpty() || isHdfs)
                return address.toString().replaceFirst("/$", "");
        } catch (StorageException wrong) {
            throw new IllegalArgumentException("openpai-fs: " + wrong.getMessage());
        }
        throw new IllegalArgumentException(
                "openpai-fs: must be as in hdfs://host:9000 or file:/shared/pai, but is '"
                        + text
                        + "'");
    }

    static boolean yes(String key, String text) {
        return switch (text) {
            case "yes" -> true;
            case "no" -> false;
            default ->
                    throw new IllegalArgumentException(
                            key + ": must be yes or no, but is '" + text + "'");
        };
    }

    private static Set<String> set(Entries entries, String key, Pattern form, String example)
            throws StartException {
        return entries.read(key, text -> set(key, text, form, example)).orElse(Set.of());
    }

    private static Set<String> set(String key, String text, Pattern form, String example) {
        var all = new LinkedHashSet<String>();
        for (String part : text.split(",", -1)) {
            String each = part.strip();
            if (!form.matcher(each).matches())
                throw new IllegalArgumentException(
                        "%s: must be as in %s, with commas between several, but has '%.100s'"
                                .formatted(key, example, each));
            all.add(each.replaceFirst("/$", ""));
        }
        return all;
    }

    /** What {@code $PAI_DEFAULT_FS_URI} stands for, without a slash at its end. */
    String openPaiFs(Path home) {
        return openPaiFs.orElse("file:" + ownFiles(home));
    }

    /** The folder that {@code file:} addresses of OpenPAI's jobs must be in. */
    Path openPaiFolder(Path home) {
        return openPaiFs
                .filter(address -> address.startsWith("file:"))
                .map(address -> Path.of(address.substring("file:".length())))
                .orElse(ownFiles(home));
    }

    private static Path ownFiles(Path home) {
        return home.resolve("files");
    }

    private static long gpuMemory(String text) {
        long bytes = Units.bytes(text, "gpu-memory");
        SpecException.unless(
                bytes >= GPU_MEMORY_LEAST,
                "gpu-memory",
                "must be at least " + Units.text(GPU_MEMORY_LEAST));
        return bytes;
    }

    private static long memory(String text) {
        long bytes = Units.bytes(text, "memory");
        SpecException.unless(
                bytes >= MEMORY_LEAST, "memory", "must be at least " + Units.text(MEMORY_LEAST));
        try {
            long most = Machine.memoryBytes();
            SpecException.unless(
                    bytes <= most,
                    "memory",
                    "is more than this machine has, which is " + Units.text(most >> 20 << 20));
        } catch (IOException unknown) {
            throw new UncheckedIOException(unknown);
        }
        return bytes;
    }

    private static long logBytes(String text) {
        long bytes = Units.bytes(text, "log-bytes");
        SpecException.unless(
                bytes >= LOG_BYTES_LEAST, "log-bytes", "must be at least " + LOG_BYTES_LEAST);
        return bytes;
    }

    static Duration duration(Entries entries, String key, Duration otherwise)
            throws StartException {
        return entries.read(key, text -> Units.duration(text, key)).orElse(otherwise);
    }

    private static StartException usage(String message) {
        return Entries.wrong(message);
    }
}
