package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.dialects.philly.PhillyConfig;
import fairlead.dialects.yaml.ConfigException;
import fairlead.dialects.yaml.Problem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A working folder with config files, as a user has one. */
public final class ConfigFolder {
    public static final String AML = "aux_data/aml/aml.yaml";
    public static final String ACCOUNT = "aux_data/configs/vigeastblob_account.yaml";

    /** The example of ACT's own document, with its engine named. */
    public static final String DOCUMENTED =
            """
            azure_blob_config_file: null # no need to specify, legacy option
            datastore_name: null # no need to specify. legacy option
            aml_config: aux_data/aml/config.json
            config_param:
               code_path:
                   azure_blob_config_file: ./aux_data/configs/vigeastblob_account.yaml # the account
                   path: path/to/code.zip # where the zipped source code is
               data_folder:
                   azure_blob_config_file: ./aux_data/configs/vigeastblob_account.yaml
                   path: path/to/data
               output_folder:
                   azure_blob_config_file: ./aux_data/configs/vigeastblob_account.yaml
                   path: path/to/output
            use_custom_docker: true
            compute_target: NC24RSV3
            aks_compute: false
            docker:
                image: amsword/setup:py36pt16
            experiment_name: experiment_name
            use_cli_auth: True
            multi_process: True
            gpu_per_node: 4
            env:
               NCCL_IB_DISABLE: '0'
            zip_options:
                - '-x'
                - '\\*src/py-faster-rcnn/\\*'
                - '-x'
                - '\\*src/CMC/\\*'
            """;

    public static final String ACCOUNT_TEXT =
            """
            account_name: vigeast
            account_key: c2VjcmV0LWtleQ==
            sas_token: ?sv=2020-12-06&sig=verysecret
            container_name: data
            """;

    private static final String WORKSPACE =
            """
            {
                "subscription_id": "11",
                "resource_group": "vision",
                "workspace_name": "vig"
            }
            """;

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>(Map.of("USER", "jianfw"));

    public ConfigFolder(Path folder) {
        this.folder = folder;
    }

    /** With the files of the document. */
    public static ConfigFolder documented(Path folder) {
        return new ConfigFolder(folder)
                .with(AML, DOCUMENTED)
                .with(ACCOUNT, ACCOUNT_TEXT)
                .with("aux_data/aml/config.json", WORKSPACE);
    }

    /** The shortest config that is whole, and more lines after it. */
    public static ConfigFolder small(Path folder, String more) {
        return new ConfigFolder(folder)
                .with(
                        AML,
                        """
                        engine: local
                        config_param:
                          code_path: {storage: 'file:/shared/ann', path: code.zip}
                        """
                                + more);
    }

    public ConfigFolder with(String file, String text) {
        try {
            Path path = folder.resolve(file);
            Files.createDirectories(path.getParent());
            // Half a character becomes a question mark, as an editor would write it.
            Files.write(path, text.getBytes(StandardCharsets.UTF_8));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ConfigFolder variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    public Path path() {
        return folder;
    }

    public Map<String, String> environment() {
        return environment;
    }

    public Optional<ClusterConfig> find(String cluster) throws ConfigException {
        return ConfigFinder.find(folder, environment, Optional.ofNullable(cluster));
    }

    public ClusterConfig config() throws ConfigException {
        return find(null).orElseThrow();
    }

    /** What is wrong, as a user reads it. */
    public List<String> mistakes() {
        return words(assertThrows(ConfigException.class, this::config).problems());
    }

    public List<String> warnings() throws ConfigException {
        return words(config().warnings());
    }

    public PhillyConfig philly() throws ConfigException {
        return PhillyConfig.find(folder, environment).orElseThrow();
    }

    public List<String> phillyMistakes() {
        return words(assertThrows(ConfigException.class, this::philly).problems());
    }

    public static List<String> words(List<Problem> problems) {
        return problems.stream().map(Problem::toString).toList();
    }
}
