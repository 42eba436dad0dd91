package fairlead.server;

import fairlead.api.ErrorCode;
import fairlead.api.clusters.ClusterRequest;
import fairlead.control.Refused;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.journal.Document;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.http.Problem;
import fairlead.server.routes.Parts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * Clusters that are made while the server runs: the computes of Azure ML that config files of ACT
 * name. The journal keeps them. What such a cluster is never changes, because jobs may run on it:
 * other settings make another cluster. Any thread.
 */
final class AddedClusters implements Parts.AddCluster {
    private static final String KIND = "cluster";
    private static final String ENGINE = ClusterSettings.Loaded.AZUREML;

    /** Each has a thread that looks at it, as those of the settings have. */
    private static final int COUNT_MAX = 16;

    /** So that a number fits behind it. */
    private static final int NAME_CHARS_MAX = 27;

    /** Nothing that is set is longer. */
    private static final int VALUE_CHARS_MAX = 200;

    /** A config file says only the first: where the tokens go is the server's own matter. */
    private static final List<String> MORE_KEYS = List.of("credential", "cloud");

    /** Folders of the home besides those that no cluster of the settings is called by either. */
    private static final Set<String> FOLDERS =
            Set.of("bin", "files", "folders", "openpai", "tls", "work");

    private final Journal journal;
    private final String cloud;
    private final Opener opener;
    private final Taker taker;
    private final List<ClusterSettings> set;
    private final List<ClusterSettings> all;

    /** Opens the engine of a cluster. */
    interface Opener {
        Engine open(ClusterSettings cluster) throws EngineException;
    }

    /** Lets a server have a cluster from now on. Where it fails, the engine is not its own. */
    interface Taker {
        void take(ClusterSettings cluster, Engine engine) throws Refused, InterruptedException;
    }

    /**
     * @param settings with the clusters that are there already
     */
    AddedClusters(Journal journal, Settings settings, Opener opener, Taker taker)
            throws JournalException {
        this.journal = journal;
        this.cloud = settings.azureCloud();
        this.opener = opener;
        this.taker = taker;
        List<String> kept = journal.documents(KIND).stream().map(Document::name).toList();
        this.set =
                settings.clusters().stream().filter(each -> !kept.contains(each.name())).toList();
        this.all = new CopyOnWriteArrayList<>(settings.clusters());
    }

    /** The settings with the clusters that were made before. */
    static Settings with(Journal journal, Settings settings)
            throws JournalException, StartException {
        var kept = new ArrayList<ClusterSettings>();
        for (Document document : journal.documents(KIND)) {
            String name = document.name();
            boolean isSet = settings.clusters().stream().anyMatch(it -> it.name().equals(name));
            if (isSet)
                throw Entries.wrong(
                        "clusters: '%s' is one that was made from a config file of ACT; choose another name"
                                .formatted(name));
            var lines =
                    document.text()
                            .lines()
                            .map(line -> line.split(" = ", 2))
                            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
            kept.add(ClusterEntries.read(name, ENGINE, lines));
        }
        return settings.with(kept);
    }

    /** All clusters of the server as they are now; those of the settings come first. */
    List<Parts.Place> places() {
        return all.stream()
                .map(each -> new Parts.Place(each.name(), each.engine(), each.namespaces()))
                .toList();
    }

    List<String> names() {
        return all.stream().map(ClusterSettings::name).toList();
    }

    @Override
    public synchronized String add(ClusterRequest request, boolean mayMake)
            throws EngineException, JournalException, Refused, InterruptedException {
        var lines = new TreeMap<String, String>();
        if (request.settings() != null) lines.putAll(request.settings());
        lines.putIfAbsent("cloud", cloud);
        for (ClusterSettings each : all) {
            if (isMeant(each, lines)) return each.name();
        }
        if (!mayMake)
            throw new Problem(
                    ErrorCode.FORBIDDEN,
                    "this server has no cluster for the compute %.90s of the workspace %.90s, and only an admin may make one: by typing 'fairlead summary' with this config file"
                            .formatted(lines.get("compute"), lines.get("workspace")));
        check(request, lines);
        if (!cloud.equals(lines.get("cloud")))
            throw Problem.invalid(
                    "settings",
                    "settings: this server is made for the cloud %s; 'azure-cloud' in its file says which"
                            .formatted(cloud));
        if (all.size() - set.size() >= COUNT_MAX)
            throw new Problem(
                    ErrorCode.CONFLICT,
                    "this server has %d clusters from config files of ACT, and that is the most: %s"
                            .formatted(
                                    COUNT_MAX,
                                    all.stream()
                                            .filter(each -> !set.contains(each))
                                            .map(ClusterSettings::name)
                                            .collect(Collectors.joining(", "))));
        ClusterSettings cluster = read(free(request.name()), lines);
        make(cluster, lines);
        all.add(cluster);
        return cluster.name();
    }

    private void make(ClusterSettings cluster, Map<String, String> lines)
            throws EngineException, JournalException, Refused, InterruptedException {
        String text =
                lines.entrySet().stream()
                        .map(line -> line.getKey() + " = " + line.getValue())
                        .collect(Collectors.joining("\n"));
        Engine engine = opener.open(cluster);
        boolean isTaken = false;
        try {
            journal.keep(new Document(KIND, cluster.name(), text));
            taker.take(cluster, engine);
            isTaken = true;
        } finally {
            if (!isTaken) engine.close();
        }
    }

    private static void check(ClusterRequest request, Map<String, String> lines) {
        if (!ENGINE.equals(request.engine()))
            throw Problem.invalid(
                    "engine",
                    "engine: only clusters of %s are made while the server runs; others are set in its file"
                            .formatted(ENGINE));
        if (request.name() == null) throw Problem.invalid("name", "name: is missing");
        for (Map.Entry<String, String> line : lines.entrySet()) {
            String key = line.getKey();
            boolean isKnown =
                    ClusterEntries.azureMlNeeded().contains(key) || MORE_KEYS.contains(key);
            if (!isKnown)
                throw Problem.invalid(
                        "settings", "settings: '%.40s' cannot be set so".formatted(key));
            if (line.getValue() == null || line.getValue().length() > VALUE_CHARS_MAX)
                throw Problem.invalid("settings", "settings: " + key + " is missing or too long");
        }
    }

    private static ClusterSettings read(String name, Map<String, String> lines) {
        try {
            return ClusterEntries.read(name, ENGINE, new HashMap<>(lines));
        } catch (StartException wrong) {
            throw Problem.invalid("settings", wrong.getMessage());
        }
    }

    /**
     * Of a cluster that the settings name, the compute alone counts: its admin has chosen the rest.
     */
    private boolean isMeant(ClusterSettings known, Map<String, String> lines) {
        if (!(known instanceof ClusterSettings.Loaded loaded) || !loaded.engine().equals(ENGINE))
            return false;
        if (!set.contains(known)) return loaded.lines().equals(lines);
        return ClusterEntries.azureMlNeeded().stream()
                .allMatch(key -> loaded.lines().get(key).equals(lines.get(key)));
    }

    private String free(String wanted) {
        String word = wanted.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        if (!word.matches("[a-z].*")) word = "azure-" + word;
        word = word.substring(0, Math.min(NAME_CHARS_MAX, word.length())).replaceAll("-+$", "");
        for (int number = 1; ; number++) {
            String name = number == 1 ? word : word + "-" + number;
            boolean isFree = all.stream().noneMatch(each -> each.name().equals(name));
            if (isFree && ClusterEntries.isName(name) && !FOLDERS.contains(name)) return name;
        }
    }
}
