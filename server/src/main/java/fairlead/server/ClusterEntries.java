package fairlead.server;

import fairlead.engines.kubernetes.KubernetesSettings;
import fairlead.wire.Units;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads which clusters a server has: {@code clusters = local, lab}, and for each of them lines such
 * as {@code lab.engine = kubernetes}.
 */
final class ClusterEntries {
    static final String KEY = "clusters";

    /** A name is a folder of the home, a word of commands and a label of metrics. */
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,30}");

    /** What else lives in the home. */
    private static final Set<String> TAKEN =
            Set.of("logs", "copies", "clock", "settings", "token", "secret");

    /** Each has a thread that looks at it; a server of more is a mistake in the line. */
    private static final int CLUSTERS_MAX = 16;

    private static final String ENGINE = "engine";
    private static final List<String> ENGINES =
            List.of(
                    ClusterSettings.Local.ENGINE,
                    ClusterSettings.Kubernetes.ENGINE,
                    ClusterSettings.Loaded.YARN,
                    ClusterSettings.Loaded.AZUREML);
    private static final List<String> KUBERNETES_KEYS =
            List.of(
                    "kubeconfig",
                    "context",
                    "namespace",
                    "image",
                    "reservation-image",
                    "pull-secrets",
                    "tolerations",
                    "host-paths",
                    "gpu-requests",
                    "pod-template",
                    "service-accounts",
                    "priority-classes",
                    "rights",
                    "nodes",
                    "autoscaler",
                    "start-patience");

    private static final List<String> YARN_KEYS =
            List.of("conf", "queue", "staging", "java", "docker", "task-memory", "start-patience");

    /** Those without which there is no compute to send jobs to come first. */
    private static final List<String> AZUREML_KEYS =
            List.of(
                    "subscription",
                    "resource-group",
                    "workspace",
                    "compute",
                    "image",
                    "gpus-per-node",
                    "distribution",
                    "queued",
                    "credential",
                    "cloud");

    private static final int AZUREML_NEEDED = 4;

    static final String PUBLIC_CLOUD = "public";

    /**
     * Names of Azure's resources: parts of addresses, so without what these would need to escape.
     */
    private static final Pattern AZURE_NAME =
            Pattern.compile("[A-Za-z0-9]([\\w.()-]{0,88}[\\w)-])?");

    private static final Pattern SMALL_NUMBER = Pattern.compile("\\d{1,3}");

    /** By engine; an engine that is not here has none. */
    private static final Map<String, List<String>> KEYS =
            Map.of(
                    ClusterSettings.Kubernetes.ENGINE,
                    KUBERNETES_KEYS,
                    ClusterSettings.Loaded.YARN,
                    YARN_KEYS,
                    ClusterSettings.Loaded.AZUREML,
                    AZUREML_KEYS);

    private static final int PERCENT_MAX = 100;

    private static final Pattern FOLDER = Pattern.compile("/(?!.*(^|/)\\.\\.?(/|$)).*");

    private static final Pattern TOLERATION =
            Pattern.compile(
                    "[A-Za-z0-9][\\w./-]*(=[\\w.-]*)?:(NoSchedule|PreferNoSchedule|NoExecute)");

    private static final Pattern OBJECT = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    /** As a label of DNS, where the project stands for letters. */
    private static final Pattern NAMESPACE =
            Pattern.compile("[a-z0-9-]{0,62}(\\{project}[a-z0-9-]{0,62})?");

    private final Entries entries;

    private ClusterEntries(Entries entries) {
        this.entries = entries;
    }

    /** The first is the one of jobs that name none. */
    static List<ClusterSettings> read(Entries entries) throws StartException {
        return new ClusterEntries(entries).all();
    }

    /** One cluster alone, by lines without its name. */
    static ClusterSettings read(String name, String engine, Map<String, String> lines)
            throws StartException {
        var entries = new Entries();
        entries.put(KEY, name);
        entries.put(name + "." + ENGINE, engine);
        lines.forEach((key, value) -> entries.put(name + "." + key, value));
        return read(entries).getFirst();
    }

    /** What a cluster of Azure ML cannot be without: these say which compute it is. */
    static List<String> azureMlNeeded() {
        return AZUREML_KEYS.subList(0, AZUREML_NEEDED);
    }

    /** Whether a cluster can be called so. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches() && !TAKEN.contains(name);
    }

    /** Whether a key is about one cluster and not about the server. */
    static boolean isOfCluster(String key) {
        return key.indexOf('.') > 0;
    }

    private List<ClusterSettings> all() throws StartException {
        List<String> names =
                entries.read(KEY, ClusterEntries::names)
                        .orElse(List.of(ClusterSettings.Local.ENGINE));
        for (String key : entries.keys()) {
            if (isOfCluster(key)) checkKey(key, names);
        }
        var clusters = new ArrayList<ClusterSettings>();
        for (String name : names) clusters.add(cluster(name));
        if (clusters.stream().filter(ClusterSettings.Local.class::isInstance).count() > 1)
            throw entries.mistake(
                    KEY, "clusters: this machine can be one cluster, but two have engine local");
        return List.copyOf(clusters);
    }

    private static List<String> names(String text) {
        List<String> names = words(text);
        if (names.isEmpty() || names.size() > CLUSTERS_MAX)
            throw new IllegalArgumentException(
                    "clusters: must name 1 to %d clusters, such as 'local, lab', but is '%s'"
                            .formatted(CLUSTERS_MAX, text));
        for (String name : names) {
            if (!NAME.matcher(name).matches())
                throw new IllegalArgumentException(
                        "clusters: a name has lower case letters, digits and '-', at most 31, and"
                                + " begins with a letter, but is '%s'".formatted(name));
            if (TAKEN.contains(name))
                throw new IllegalArgumentException(
                        "clusters: '%s' is a file of the home folder; choose another name"
                                .formatted(name));
        }
        if (Set.copyOf(names).size() < names.size())
            throw new IllegalArgumentException("clusters: a name is given twice: '" + text + "'");
        return names;
    }

    private void checkKey(String key, List<String> names) throws StartException {
        String name = key.substring(0, key.indexOf('.'));
        String rest = key.substring(name.length() + 1);
        if (!names.contains(name))
            throw entries.mistake(
                    key,
                    "'%s' is about the cluster '%s', which 'clusters' does not name; it names %s"
                            .formatted(key, name, String.join(", ", names)));
        boolean isKnown = KEYS.values().stream().anyMatch(keys -> keys.contains(rest));
        if (!rest.equals(ENGINE) && !isKnown)
            throw entries.mistake(
                    key,
                    "unknown key '%s'; a cluster has %s, %s; one of YARN %s; one of Azure ML %s"
                            .formatted(
                                    key,
                                    ENGINE,
                                    String.join(", ", KUBERNETES_KEYS),
                                    String.join(", ", YARN_KEYS),
                                    String.join(", ", AZUREML_KEYS)));
    }

    private ClusterSettings cluster(String name) throws StartException {
        String key = name + "." + ENGINE;
        boolean isThisMachine = name.equals(ClusterSettings.Local.ENGINE) && !entries.has(key);
        String engine =
                isThisMachine
                        ? ClusterSettings.Local.ENGINE
                        : entries.read(key, text -> engine(key, text))
                                .orElseThrow(() -> withoutEngine(name));
        checkMeaning(name, engine);
        return switch (engine) {
            case ClusterSettings.Local.ENGINE -> new ClusterSettings.Local(name);
            case ClusterSettings.Kubernetes.ENGINE -> kubernetes(name);
            case ClusterSettings.Loaded.YARN -> yarn(name);
            case ClusterSettings.Loaded.AZUREML -> azureMl(name);
            default -> throw new IllegalStateException("nobody reads the engine " + engine);
        };
    }

    /** A key of one engine means nothing to another. */
    private void checkMeaning(String name, String engine) throws StartException {
        for (String key : entries.keys()) {
            if (!key.startsWith(name + ".") || key.equals(name + "." + ENGINE)) continue;
            String rest = key.substring(name.length() + 1);
            if (!KEYS.getOrDefault(engine, List.of()).contains(rest))
                throw entries.mistake(key, "'" + key + "' has no meaning for the engine " + engine);
        }
    }

    private StartException withoutEngine(String name) {
        return entries.mistake(
                KEY,
                "the cluster '%s' has no engine; add '%s.engine = kubernetes'"
                        .formatted(name, name));
    }

    private static String engine(String key, String text) {
        if (ENGINES.contains(text)) return text;
        throw new IllegalArgumentException(
                "%s: no engine '%s'; known: %s".formatted(key, text, String.join(", ", ENGINES)));
    }

    private ClusterSettings kubernetes(String name) throws StartException {
        String prefix = name + ".";
        return new ClusterSettings.Kubernetes(
                name,
                entries.read(prefix + "kubeconfig", text -> file(prefix + "kubeconfig", text)),
                entries.read(prefix + "context", some(prefix + "context")),
                entries.read(prefix + "namespace", text -> namespace(prefix + "namespace", text))
                        .orElse(KubernetesSettings.NAMESPACE),
                entries.read(prefix + "image", some(prefix + "image")),
                entries.read(prefix + "reservation-image", some(prefix + "reservation-image"))
                        .orElse(KubernetesSettings.RESERVATION_IMAGE),
                names(prefix + "pull-secrets", "is the name of a secret, such as 'registry'"),
                entries.read(
                                prefix + "tolerations",
                                text ->
                                        each(
                                                prefix + "tolerations",
                                                text,
                                                TOLERATION,
                                                "is key[=value]:effect, such as"
                                                        + " 'nvidia.com/gpu:NoSchedule'; an effect"
                                                        + " is NoSchedule, PreferNoSchedule or"
                                                        + " NoExecute"))
                        .orElse(List.of()),
                entries.read(
                                prefix + "host-paths",
                                text ->
                                        each(
                                                prefix + "host-paths",
                                                text,
                                                FOLDER,
                                                "is an absolute path without dots"))
                        .orElse(List.of()),
                rules(prefix),
                entries.read(
                                prefix + "start-patience",
                                text -> Units.duration(text, prefix + "start-patience"))
                        .orElse(KubernetesSettings.START_PATIENCE));
    }

    private ClusterSettings yarn(String name) throws StartException {
        String prefix = name + ".";
        var lines = new HashMap<String, String>();
        put(lines, name, "conf", text -> file(prefix + "conf", text).toString());
        put(lines, name, "queue", some(prefix + "queue"));
        put(lines, name, "staging", some(prefix + "staging"));
        put(lines, name, "java", text -> file(prefix + "java", text).toString());
        put(lines, name, "docker", text -> yesOrNo(prefix + "docker", text));
        put(
                lines,
                name,
                "task-memory",
                text -> Long.toString(Units.bytes(text, prefix + "task-memory")));
        put(
                lines,
                name,
                "start-patience",
                text -> Long.toString(Units.duration(text, prefix + "start-patience").toMillis()));
        if (!lines.containsKey("conf"))
            throw entries.mistake(
                    prefix + ENGINE,
                    "the cluster '%s' has no settings of Hadoop; add '%sconf = /etc/hadoop/conf'"
                            .formatted(name, prefix));
        if (lines.getOrDefault("docker", "false").equals("true") && !lines.containsKey("java"))
            throw entries.mistake(
                    prefix + "docker",
                    "%sdocker: images need no Java of their own, so say where the nodes have it: '%sjava = /usr/lib/jvm/java-17/bin/java'"
                            .formatted(prefix, prefix));
        return new ClusterSettings.Loaded(name, ClusterSettings.Loaded.YARN, lines);
    }

    private ClusterSettings azureMl(String name) throws StartException {
        String prefix = name + ".";
        var lines = new HashMap<String, String>();
        for (String key : azureMlNeeded()) {
            put(
                    lines,
                    name,
                    key,
                    text -> matching(prefix + key, text, AZURE_NAME, "the name of a resource"));
            if (!lines.containsKey(key))
                throw entries.mistake(
                        prefix + ENGINE,
                        "the cluster '%s' has no %s of Azure ML; add '%s%s = NAME'"
                                .formatted(name, key, prefix, key));
        }
        put(lines, name, "image", some(prefix + "image"));
        for (String key : List.of("gpus-per-node", "queued")) {
            put(lines, name, key, text -> matching(prefix + key, text, SMALL_NUMBER, "a number"));
        }
        put(lines, name, "distribution", among(prefix + "distribution", "pytorch", "mpi"));
        put(
                lines,
                name,
                "credential",
                among(
                        prefix + "credential",
                        "default",
                        "cli",
                        "environment",
                        "managed",
                        "workload",
                        "device-code"));
        put(lines, name, "cloud", text -> cloud(prefix + "cloud", text));
        return new ClusterSettings.Loaded(name, ClusterSettings.Loaded.AZUREML, lines);
    }

    /** A name, or the address of a management interface. */
    static String cloud(String key, String text) {
        return text.matches("https?://[\\w.:/-]+")
                ? text
                : among(key, PUBLIC_CLOUD, "china", "usgovernment").apply(text);
    }

    private static String matching(String key, String text, Pattern form, String what) {
        if (form.matcher(text).matches()) return text;
        throw new IllegalArgumentException(
                "%s: must be %s, but is '%s'".formatted(key, what, text));
    }

    private static Function<String, String> among(String key, String... words) {
        return text -> {
            if (List.of(words).contains(text)) return text;
            throw new IllegalArgumentException(
                    "%s: must be one of %s, but is '%s'"
                            .formatted(key, String.join(", ", words), text));
        };
    }

    private void put(
            Map<String, String> lines, String name, String key, Function<String, String> form)
            throws StartException {
        entries.read(name + "." + key, form).ifPresent(value -> lines.put(key, value));
    }

    private static String yesOrNo(String key, String text) {
        if (List.of("true", "false").contains(text)) return text;
        throw new IllegalArgumentException(key + ": must be true or false, but is '" + text + "'");
    }

    private KubernetesSettings.Rules rules(String prefix) throws StartException {
        return new KubernetesSettings.Rules(
                entries.read(
                                prefix + "gpu-requests",
                                text -> percent(prefix + "gpu-requests", text))
                        .orElse(KubernetesSettings.Rules.GPU_REQUESTS),
                entries.read(prefix + "pod-template", text -> file(prefix + "pod-template", text)),
                names(prefix + "service-accounts", "is the name of a service account"),
                names(prefix + "priority-classes", "is the name of a priority class"),
                sight(prefix),
                entries.read(prefix + "nodes", text -> shape(prefix + "nodes", text)),
                entries.read(prefix + "autoscaler", text -> shape(prefix + "autoscaler", text)));
    }

    private KubernetesSettings.Sight sight(String prefix) throws StartException {
        String key = prefix + "rights";
        var sight =
                entries.read(
                                key,
                                text ->
                                        switch (text) {
                                            case "cluster" -> KubernetesSettings.Sight.CLUSTER;
                                            case "namespace" -> KubernetesSettings.Sight.NAMESPACE;
                                            default ->
                                                    throw new IllegalArgumentException(
                                                            "%s: must be cluster or namespace, but is '%s'"
                                                                    .formatted(key, text));
                                        })
                        .orElse(KubernetesSettings.Sight.CLUSTER);
        String namespace =
                entries.read(prefix + "namespace", text -> text)
                        .orElse(KubernetesSettings.NAMESPACE);
        if (sight == KubernetesSettings.Sight.NAMESPACE && namespace.contains("{project}"))
            throw entries.mistake(
                    key,
                    "%s: with the rights of one namespace, '%snamespace' must name it, without {project}"
                            .formatted(key, prefix));
        return sight;
    }

    private static KubernetesSettings.Shape shape(String key, String text) {
        if (!text.matches("[1-9]\\d{0,3}x\\d{1,4}"))
            throw new IllegalArgumentException(
                    "%s: must be NODESxGPUS, such as 4x8, but is '%s'".formatted(key, text));
        String[] parts = text.split("x");
        return new KubernetesSettings.Shape(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    private List<String> names(String key, String what) throws StartException {
        return entries.read(key, text -> each(key, text, OBJECT, what)).orElse(List.of());
    }

    private static int percent(String key, String text) {
        String number = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
        if (number.matches("\\d{1,3}") && Integer.parseInt(number) <= PERCENT_MAX)
            return Integer.parseInt(number);
        throw new IllegalArgumentException(
                "%s: must be a share from 0 to 100%%, but is '%s'".formatted(key, text));
    }

    private static Path file(String key, String text) {
        try {
            Path file = Path.of(text);
            if (file.isAbsolute()) return file;
        } catch (InvalidPathException _) {
            // Refused below, like one that is not absolute.
        }
        throw new IllegalArgumentException(
                key + ": must be an absolute path, but is '" + text + "'");
    }

    private static Function<String, String> some(String key) {
        return text -> {
            if (!text.isEmpty()) return text;
            throw new IllegalArgumentException(key + ": is empty");
        };
    }

    private static String namespace(String key, String text) {
        if (!text.isEmpty() && NAMESPACE.matcher(text).matches()) return text;
        throw new IllegalArgumentException(
                "%s: must have lower case letters, digits, '-' and once {project}, but is '%s'"
                        .formatted(key, text));
    }

    private static List<String> each(String key, String text, Pattern form, String what) {
        List<String> words = words(text);
        for (String word : words) {
            if (!form.matcher(word).matches())
                throw new IllegalArgumentException(
                        "%s: each %s, but one is '%s'".formatted(key, what, word));
        }
        return words;
    }

    private static List<String> words(String text) {
        return List.of(text.split(",")).stream()
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
