package fairlead.dialects.act;

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
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Reading;
import fairlead.dialects.yaml.Section;
import fairlead.dialects.yaml.Spot;
import fairlead.dialects.yaml.Value;
import fairlead.dialects.yaml.YamlFile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads a config file of ACT, with every default of that tool. */
final class ActConfig {
    static final int GPUS_PER_NODE = 4;

    /** No node has more GPUs or starts more processes. */
    static final int PER_NODE_MAX = 1_024;

    /** Thirty years: people write a large number for "never". */
    private static final int CACHE_SECONDS_MAX = 999_999_999;

    private static final List<String> PLATFORMS = List.of("aml", "itp", "singularity");

    private static final List<String> KEYS =
            List.of(
                    "_base_",
                    EngineKey.KEY,
                    "azure_blob_config_file",
                    "datastore_name",
                    "aml_config",
                    "config_param",
                    "use_custom_docker",
                    "compute_target",
                    "aks_compute",
                    "docker",
                    "experiment_name",
                    "use_cli_auth",
                    "multi_process",
                    "gpu_per_node",
                    "env",
                    "zip_options",
                    "with_log",
                    "platform",
                    "sleep_if_fail",
                    "sleep_if_succeed",
                    "compile_args",
                    ClusterConfig.RETRIES,
                    "preemption_allowed",
                    "process_count_per_node",
                    "interpreter_path",
                    "elastic_num_gpu",
                    "singularity_sla_tier",
                    "singularity_instance_type");

    private static final List<String> ENTRY_KEYS =
            List.of(
                    "azure_blob_config_file",
                    "storage",
                    "path",
                    "storage_type",
                    "file_share",
                    "blob_cache_timeout",
                    "submit_with_url");

    private final Reading reading;
    private final Stores stores;
    private final Section config;
    private Mapped code;
    private final Map<String, Mapped> folders = new LinkedHashMap<>();

    private ActConfig(Reading reading, Section config) {
        this.reading = reading;
        this.stores = new Stores(reading);
        this.config = config;
    }

    /**
     * Reads the file with all that it names.
     *
     * @param name what the cluster is called
     */
    static ClusterConfig read(Reading reading, Path file, String name) throws ConfigException {
        var whole = new Spot(reading.shown(file), 0);
        Value.Block block = YamlFile.read(reading, file, whole).orElse(null);
        ClusterConfig config = null;
        if (block != null) {
            config = new ActConfig(reading, new Section(reading, "", block)).read(file, name);
        }
        if (!reading.isGood()) throw reading.failure();
        return config;
    }

    /** What the engine of a file names, whatever else is wrong with the file. */
    static Optional<Target> target(Reading reading, Path file) {
        return YamlFile.read(reading, file, new Spot(reading.shown(file), 0))
                .flatMap(block -> EngineKey.of(new Section(reading, "", block)));
    }

    /** Null where a mistake leaves nothing to make a config from. */
    private ClusterConfig read(Path file, String name) {
        config.warnUnknown(KEYS);
        Optional<Target> target = EngineKey.of(config);
        AzureMl azure = azure(target.isEmpty());
        parameters();
        OptionalInt gpus = config.whole("gpu_per_node", 1, PER_NODE_MAX);
        OptionalInt processes = config.whole("process_count_per_node", 1, PER_NODE_MAX);
        boolean multiProcess = config.flag("multi_process", true);
        Map<String, String> env = env();
        Optional<String> image = image();
        String experiment = experiment();
        Optional<List<String>> zipOptions = config.texts("zip_options");
        String compileArgs = config.text("compile_args").orElse("");
        boolean sleepIfFail = config.flag("sleep_if_fail", false);
        boolean sleepIfSucceed = config.flag("sleep_if_succeed", false);
        OptionalInt retries = config.whole(ClusterConfig.RETRIES, 0, ClusterConfig.RETRIES_MAX);
        for (String key : List.of("with_log", "preemption_allowed")) {
            config.flag(key, false);
        }
        if (code == null) return null;
        return new ClusterConfig(
                name,
                file.toAbsolutePath().normalize(),
                ClusterConfig.Origin.ACT,
                target,
                code,
                folders,
                gpus.orElse(GPUS_PER_NODE),
                multiProcess,
                processes,
                experiment,
                env,
                image,
                zipOptions,
                compileArgs,
                sleepIfFail,
                sleepIfSucceed,
                retries.orElse(0),
                azure,
                reading.warnings());
    }

    /** A file for a cluster of ours may keep the keys of Azure; they are not looked at. */
    private AzureMl azure(boolean isAzure) {
        String platform = config.choice("platform", PLATFORMS).orElse("aml");
        if (config.flag("aks_compute", false)) {
            platform = "itp";
            if (isAzure) config.warn("aks_compute", "is old: write 'platform: itp'");
        }
        boolean isNamed = config.has(Workspace.KEY) || config.has("compute_target");
        if (isAzure && !isNamed) {
            config.mistake(
                    EngineKey.KEY,
                    "is missing: 'engine: local' means this machine; a file for Azure ML has "
                            + Workspace.KEY
                            + " and compute_target instead");
        }
        boolean cliLogin = config.flag("use_cli_auth", false);
        if (!isAzure || !isNamed)
            return new AzureMl(Optional.empty(), Optional.empty(), platform, cliLogin);
        return new AzureMl(
                new Workspace(reading).of(config),
                config.needed("compute_target"),
                platform,
                cliLogin);
    }

    private String experiment() {
        Optional<String> name = config.text("experiment_name");
        if (name.isPresent() && !name.get().isBlank()) return name.get();
        for (String variable : List.of("USER", "LOGNAME")) {
            String user = reading.environment().getOrDefault(variable, "");
            if (!user.isEmpty()) return user;
        }
        return System.getProperty("user.name", "experiment");
    }

    private void parameters() {
        Section parameters = config.section("config_param").orElse(null);
        if (parameters == null) {
            if (!config.has("config_param")) {
                config.mistake("config_param", "is missing: it says where code_path is");
            }
            return;
        }
        if (!parameters.has("code_path")) {
            parameters.mistake("code_path", "is missing: it says where the code is kept");
        }
        for (String key : parameters.keys()) {
            if (key.equals("code_path")) {
                if (parameters.has(key)) code = mapped(parameters, key, true).orElse(null);
            } else if (key.endsWith(Mapped.FOLDER_SUFFIX)) {
                folder(parameters, key);
            } else {
                parameters.warn(
                        key, "is ignored: only code_path and keys that end with _folder count");
            }
        }
    }

    private void folder(Section parameters, String key) {
        String name = key.substring(0, key.length() - Mapped.FOLDER_SUFFIX.length());
        if (!Mapped.isFolderName(name)) {
            parameters.mistake(key, "must be the name of one local folder, followed by _folder");
        } else if (!parameters.has(key)) {
            parameters.mistake(key, "is empty");
        } else {
            mapped(parameters, key, false).ifPresent(mapped -> folders.put(name, mapped));
        }
    }

    private Optional<Mapped> mapped(Section parameters, String key, boolean isFile) {
        if (parameters.value(key).orElseThrow() instanceof Value.Scalar) {
            return ofText(parameters, key, isFile);
        }
        Section entry = parameters.section(key).orElse(null);
        if (entry == null) return Optional.empty();
        entry.warnUnknown(ENTRY_KEYS);
        boolean isShare =
                entry.choice("storage_type", List.of("blob", "file")).orElse("").equals("file");
        if (isShare) {
            entry.mistake(
                    "storage_type",
                    "file means an Azure file share, which is not supported; mount it, and say"
                            + " 'storage: file:/FOLDER' instead");
            return Optional.empty();
        }
        OptionalInt cached = entry.whole("blob_cache_timeout", 0, CACHE_SECONDS_MAX);
        String fuse = cached.isEmpty() ? "" : FuseOptions.CACHE_SECONDS + "=" + cached.getAsInt();
        Optional<Store> store = stores.namedBy(Stores.isNamedBy(entry) ? entry : legacy(entry));
        Optional<String> path =
                (isFile ? entry.needed("path") : text(entry))
                        .flatMap(text -> StorePath.of(text, entry, "path", isFile));
        return store.isEmpty() || path.isEmpty()
                ? Optional.empty()
                : Optional.of(new Mapped(store.get(), path.get(), fuse));
    }

    private static Optional<String> text(Section entry) {
        if (entry.has("path")) return entry.text("path");
        entry.mistake("path", "is missing");
        return Optional.empty();
    }

    /**
     * The file's own account counts for entries without one; where there is none, they are
     * reported.
     */
    private Section legacy(Section entry) {
        return config.has(Stores.ACCOUNT_FILE) ? config : entry;
    }

    private Optional<Mapped> ofText(Section parameters, String key, boolean isFile) {
        if (!config.has(Stores.ACCOUNT_FILE)) {
            parameters.mistake(
                    key,
                    "is only a path; it needs azure_blob_config_file and path, or one"
                            + " azure_blob_config_file for the whole file");
            return Optional.empty();
        }
        Optional<String> path =
                parameters.text(key).flatMap(text -> StorePath.of(text, parameters, key, isFile));
        Optional<Store> store = stores.namedBy(config);
        return store.isEmpty() || path.isEmpty()
                ? Optional.empty()
                : Optional.of(new Mapped(store.get(), path.get()));
    }

    private Map<String, String> env() {
        Map<String, String> env = config.pairs("env");
        Section section = config.section("env").orElse(null);
        for (String name : new ArrayList<>(env.keySet())) {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                section.mistake(name, "is no name for a variable");
                env.remove(name);
            }
        }
        return env;
    }

    private Optional<String> image() {
        boolean isWanted = config.flag("use_custom_docker", true);
        Section docker = config.section("docker").orElse(null);
        if (docker == null || !isWanted) return Optional.empty();
        docker.warnUnknown(List.of("image", "tag", "address", "username", "password"));
        if (docker.has("username") || docker.has("password")) {
            docker.warn(
                    docker.has("password") ? "password" : "username",
                    "is not used: the cluster's own secrets open its registries");
        }
        Optional<String> image = DockerImage.of(docker);
        Optional<String> address = docker.text("address");
        if (image.isEmpty() || address.isEmpty() || image.get().startsWith(address.get() + "/")) {
            return image;
        }
        return image.map(name -> address.get().replaceFirst("/+$", "") + "/" + name);
    }
}
