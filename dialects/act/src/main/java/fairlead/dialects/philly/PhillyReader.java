package fairlead.dialects.philly;

import fairlead.dialects.act.config.AzureMl;
import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.act.config.DockerImage;
import fairlead.dialects.act.config.EngineKey;
import fairlead.dialects.act.config.FuseOptions;
import fairlead.dialects.act.config.Mapped;
import fairlead.dialects.act.config.Store;
import fairlead.dialects.act.config.StorePath;
import fairlead.dialects.act.config.Stores;
import fairlead.dialects.act.config.Target;
import fairlead.dialects.yaml.Reading;
import fairlead.dialects.yaml.Section;
import fairlead.dialects.yaml.Spot;
import fairlead.dialects.yaml.Value;
import fairlead.dialects.yaml.YamlFile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the files of a {@link PhillyConfig}. */
final class PhillyReader {
    /** What a container of Philly had. */
    private static final int GPUS_PER_NODE = 4;

    /** More names cannot be clusters. */
    private static final int CLUSTERS_MAX = 1_000;

    /** It was a mount of every node, so it is a folder here too. */
    private static final String HDFS = "/hdfs";

    private static final List<String> KEYS =
            List.of(
                    "_base_",
                    "engine",
                    "vc",
                    "cluster",
                    "user_name",
                    "password",
                    "blob_mount_point",
                    "azure_blob_config_file",
                    "storage",
                    "blob_mount_info",
                    FuseOptions.KEY,
                    "multi_process",
                    "config_param",
                    "docker",
                    ClusterConfig.RETRIES,
                    "zip_options");
    private static final List<String> MOUNT_KEYS =
            List.of("blob_mount_point", "azure_blob_config_file", "storage", FuseOptions.KEY);

    private final Reading reading;
    private final Section config;
    private final Stores stores;
    private final Map<String, Mount> mounts = new LinkedHashMap<>();
    private final Map<String, Mapped> folders = new LinkedHashMap<>();
    private Mapped code;

    /**
     * What is seen at a mount point.
     *
     * @param store empty where it cannot be read, which was reported
     */
    private record Mount(Optional<Store> store, String fuse) {
        boolean isReadOnly() {
            return FuseOptions.areReadOnly(fuse);
        }
    }

    PhillyReader(Reading reading, Section config) {
        this.reading = reading;
        this.config = config;
        this.stores = new Stores(reading);
    }

    /** Null where a mistake leaves nothing to make a config from. */
    PhillyConfig read(Path file, Path names) {
        config.warnUnknown(KEYS);
        if (config.has("password")) {
            config.warn("password", "is not needed, and is better kept out of files");
        }
        mounts();
        parameters();
        List<String> clusters = clusters(names);
        Map<String, Target> targets = targets(clusters);
        Optional<String> image = config.section("docker").flatMap(DockerImage::of);
        Optional<List<String>> zipOptions = config.texts("zip_options");
        boolean multiProcess = config.flag("multi_process", true);
        OptionalInt retries = config.whole(ClusterConfig.RETRIES, 0, ClusterConfig.RETRIES_MAX);
        String vc = config.text("vc").orElse("input");
        String user = user();
        if (code == null) return null;
        var read = new ArrayList<ClusterConfig>();
        for (String cluster : clusters) {
            read.add(
                    new ClusterConfig(
                            cluster,
                            file.toAbsolutePath().normalize(),
                            ClusterConfig.Origin.PHILLY,
                            Optional.ofNullable(targets.get(cluster)),
                            code,
                            folders,
                            GPUS_PER_NODE,
                            multiProcess,
                            OptionalInt.empty(),
                            user,
                            Map.of(),
                            image,
                            zipOptions,
                            "",
                            false,
                            false,
                            retries.orElse(0),
                            new AzureMl(Optional.empty(), Optional.empty(), "philly", false),
                            reading.warnings()));
        }
        return new PhillyConfig(vc, read);
    }

    private String user() {
        return config.text("user_name")
                .filter(name -> !name.isBlank())
                .orElseGet(() -> reading.environment().getOrDefault("USER", "philly"));
    }

    /** The file of names goes before the one name in the other file. */
    private List<String> clusters(Path file) {
        var names = new LinkedHashSet<String>();
        if (Files.exists(file)) {
            var start = new Spot(reading.shown(file), 1);
            YamlFile.read(reading, file, start)
                    .ifPresent(block -> names(new Section(reading, "", block), names));
        }
        if (names.isEmpty()) config.text("cluster").ifPresent(names::add);
        if (names.isEmpty()) names.addAll(PhillyConfig.USUAL_CLUSTERS);
        return List.copyOf(names);
    }

    private static void names(Section section, LinkedHashSet<String> names) {
        section.warnUnknown(List.of("clusters", "_base_"));
        for (String name : section.texts("clusters").orElse(List.of())) {
            if (!EngineKey.isName(name)) {
                section.mistake("clusters", "must be a list of names, but has '" + name + "'");
            } else if (names.size() == CLUSTERS_MAX) {
                section.mistake("clusters", "has more than " + CLUSTERS_MAX + " names");
                return;
            } else {
                names.add(name);
            }
        }
    }

    /** The key engine names one place for all clusters, or has a place for each. */
    private Map<String, Target> targets(List<String> clusters) {
        var targets = new LinkedHashMap<String, Target>();
        Section each = places(config).orElse(null);
        if (each == null) {
            EngineKey.of(config).ifPresent(one -> clusters.forEach(name -> targets.put(name, one)));
            return targets;
        }
        each.warnUnknown(clusters);
        for (String name : clusters) {
            EngineKey.of(each, name).ifPresent(target -> targets.put(name, target));
        }
        return targets;
    }

    /** The places of the key engine, each once. */
    static List<Target> targets(Section config) {
        Section each = places(config).orElse(null);
        if (each == null) return EngineKey.of(config).stream().toList();
        return each.keys().stream().flatMap(name -> EngineKey.of(each, name).stream()).toList();
    }

    /** Where the key engine has a place for each cluster. */
    private static Optional<Section> places(Section config) {
        boolean isBlock = config.value(EngineKey.KEY).orElse(null) instanceof Value.Block;
        if (!isBlock) return Optional.empty();
        return config.section(EngineKey.KEY)
                .filter(each -> !List.of("cluster", "project").containsAll(each.keys()));
    }

    private void mounts() {
        boolean isList = config.has("blob_mount_info");
        List<Section> sections = isList ? config.sections("blob_mount_info") : List.of(config);
        if (isList && config.has(FuseOptions.KEY)) {
            config.warn(FuseOptions.KEY, "is ignored: each entry of blob_mount_info has its own");
        }
        for (Section section : sections) {
            if (isList) section.warnUnknown(MOUNT_KEYS);
            if (!isList && !section.has("blob_mount_point") && !Stores.isNamedBy(section)) continue;
            mount(section);
        }
    }

    private void mount(Section section) {
        Optional<String> point = section.needed("blob_mount_point");
        Optional<Store> store = stores.namedBy(section);
        if (point.isEmpty()) return;
        String path = point.get().replaceFirst("/+$", "");
        if (!path.matches("(?:/[^/\\p{Cntrl}]+)+") || path.matches(".*/\\.\\.?(?:/.*)?")) {
            section.mistake(
                    "blob_mount_point",
                    "must be a whole path, such as /blob, but is '" + point.get() + "'");
        } else if (mounts.containsKey(path)) {
            section.mistake("blob_mount_point", "is given twice: '" + path + "'");
        } else {
            // A store that cannot be read was reported; its mount point still counts for the paths.
            String fuse = FuseOptions.of(section);
            boolean isFolder = store.orElse(null) instanceof Store.Folder;
            if (isFolder && !fuse.isEmpty()) {
                section.warn(
                        FuseOptions.KEY,
                        "of a folder: only read-only counts, for jobs with an image");
            }
            var mount = new Mount(store, fuse);
            boolean isWritable =
                    isFolder
                            && mounts.values().stream()
                                    .filter(other -> other.store().equals(store))
                                    .anyMatch(other -> other.isReadOnly() != mount.isReadOnly());
            if (isWritable) {
                section.warn(
                        "blob_mount_point",
                        "the same folder is mounted read-only and not, so jobs may write to it");
            }
            mounts.put(path, mount);
        }
    }

    private void parameters() {
        Section parameters = config.section("config_param").orElse(null);
        if (parameters == null) {
            if (!config.has("config_param")) config.mistake("config_param", "is missing");
            return;
        }
        if (!parameters.has("code_path")) parameters.mistake("code_path", "is missing");
        for (String key : parameters.keys()) {
            if (key.equals("code_path")) {
                if (parameters.has(key)) code = mapped(parameters, key, true).orElse(null);
                continue;
            }
            String name = folderName(key);
            if (!key.endsWith(Mapped.FOLDER_SUFFIX) || !Mapped.isFolderName(name)) {
                parameters.warn(
                        key, "is ignored: only code_path and keys that end with _folder count");
            } else if (!parameters.has(key)) {
                parameters.mistake(key, "is empty");
            } else {
                mapped(parameters, key, false).ifPresent(mapped -> folders.put(name, mapped));
            }
        }
    }

    /** The tool showed its model_folder as models, and every other under its own name. */
    private static String folderName(String key) {
        if (key.equals("model_folder")) return "models";
        return key.replaceFirst(Mapped.FOLDER_SUFFIX + "$", "");
    }

    private Optional<Mapped> mapped(Section parameters, String key, boolean isFile) {
        String text = parameters.text(key).orElse(null);
        if (text == null) return Optional.empty();
        var fitting = new ArrayList<String>();
        for (String point : mounts.keySet()) {
            if (isBelow(text, point)) fitting.add(point);
        }
        if (isBelow(text, HDFS) && !mounts.containsKey(HDFS)) fitting.add(HDFS);
        if (fitting.size() != 1) {
            parameters.mistake(
                    key,
                    fitting.isEmpty()
                            ? "must start with a mount point ("
                                    + String.join(", ", mounts.keySet())
                                    + (mounts.isEmpty() ? "" : ", ")
                                    + HDFS
                                    + "), but is '"
                                    + text
                                    + "'"
                            : "starts with more than one mount point: "
                                    + String.join(", ", fitting));
            return Optional.empty();
        }
        String point = fitting.getFirst();
        Mount mount =
                mounts.getOrDefault(
                        point, new Mount(Optional.of(new Store.Folder(Path.of(HDFS))), ""));
        Optional<String> path =
                StorePath.of(text.substring(point.length()), parameters, key, isFile);
        return mount.store().isEmpty() || path.isEmpty()
                ? Optional.empty()
                : Optional.of(new Mapped(mount.store().get(), path.get(), mount.fuse()));
    }

    private static boolean isBelow(String path, String point) {
        return path.equals(point) || path.startsWith(point + "/");
    }
}
