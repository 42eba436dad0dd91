package fairlead.server;

import fairlead.engines.kubernetes.KubernetesSettings;
import fairlead.wire.Units;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
            List.of(ClusterSettings.Local.ENGINE, ClusterSettings.Kubernetes.ENGINE);
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
                    "start-patience");

    private static final Pattern FOLDER = Pattern.compile("/(?!.*(^|/)\\.\\.?(/|$)).*");

    private static final Pattern TOLERATION =
            Pattern.compile(
                    "[A-Za-z0-9][\\w./-]*(=[\\w.-]*)?:(NoSchedule|PreferNoSchedule|NoExecute)");

    private static final Pattern SECRET = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

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
        if (!rest.equals(ENGINE) && !KUBERNETES_KEYS.contains(rest))
            throw entries.mistake(
                    key,
                    "unknown key '%s'; a cluster has %s, %s"
                            .formatted(key, ENGINE, String.join(", ", KUBERNETES_KEYS)));
    }

    private ClusterSettings cluster(String name) throws StartException {
        String key = name + "." + ENGINE;
        boolean isThisMachine = name.equals(ClusterSettings.Local.ENGINE) && !entries.has(key);
        String engine =
                isThisMachine
                        ? ClusterSettings.Local.ENGINE
                        : entries.read(key, text -> engine(key, text))
                                .orElseThrow(() -> withoutEngine(name));
        return engine.equals(ClusterSettings.Local.ENGINE) ? local(name) : kubernetes(name);
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

    private ClusterSettings local(String name) throws StartException {
        for (String rest : KUBERNETES_KEYS) {
            String key = name + "." + rest;
            if (entries.has(key))
                throw entries.mistake(key, "'" + key + "' has no meaning for the engine local");
        }
        return new ClusterSettings.Local(name);
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
                entries.read(
                                prefix + "pull-secrets",
                                text ->
                                        each(
                                                prefix + "pull-secrets",
                                                text,
                                                SECRET,
                                                "is the name of a secret, such as 'registry'"))
                        .orElse(List.of()),
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
                entries.read(
                                prefix + "start-patience",
                                text -> Units.duration(text, prefix + "start-patience"))
                        .orElse(KubernetesSettings.START_PATIENCE));
    }

    private static Path file(String key, String text) {
        try {
            Path file = Path.of(text);
            if (file.isAbsolute()) return file;
        } catch (InvalidPathException _) {
            // Told below, like one that is not absolute.
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
