package fairlead.transfer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The verbs once through in one process, on a store that is a folder and on one that plays Azure's.
 * The build runs it to train the AOT cache of this program.
 */
final class TransferCacheRehearsal {
    private static final List<List<String>> LINES =
            List.of(
                    List.of("init"),
                    List.of("init"),
                    List.of("init", "--cluster", "blob"),
                    List.of("init", "--cluster", "blob"),
                    List.of("upload", "--cluster", "blob", "--", "data/a"),
                    List.of("ls", "--cluster", "blob", "--", "data/a"),
                    List.of("download", "--cluster", "blob", "--", "data/a"),
                    List.of("url", "--cluster", "blob", "--", "data/a/0.txt"),
                    List.of("rm", "--yes", "--cluster", "blob", "--", "data/a"),
                    List.of("upload", "--", "data/a", "data/a/0.txt"),
                    List.of("ls", "--", "data/a"),
                    List.of("upload", "--from_cluster", "other", "--", "data/a"),
                    List.of("download", "--", "data/a"),
                    List.of("url", "--", "data/a/0.txt"),
                    List.of("rm", "--yes", "--", "data/a"),
                    List.of("ls", "--", "nothing"));

    private static final int FILES = 200;

    private TransferCacheRehearsal() {}

    /**
     * @param words an empty folder
     */
    public static void main(String[] words) throws IOException {
        Path top = Path.of(words[0]).toRealPath();
        Path here = top.resolve("here");
        Path configs = Files.createDirectories(here.resolve("aux_data/aml"));
        config(configs.resolve("aml.yaml"), Files.createDirectories(top.resolve("store")));
        config(configs.resolve("other.yaml"), Files.createDirectories(top.resolve("other")));
        Files.writeString(here.resolve(".gitignore"), "*.log\n!keep.log\n/tmp/**/x[0-9]\n");
        Path data = Files.createDirectories(here.resolve("data/a"));
        Path code = Files.createDirectories(here.resolve("src"));
        for (int i = 0; i < FILES; i++) {
            Files.writeString(data.resolve(i + ".txt"), "text ".repeat(i));
            Files.writeString(code.resolve(i + ".py"), "print(" + i + ")\n".repeat(i));
        }
        try (var blobs = new RehearsalBlobs()) {
            blobConfig(here, blobs.endpoint());
            run(here, top.resolve("home"));
        }
    }

    private static void run(Path here, Path home) {
        for (List<String> line : LINES) {
            Main.run(
                    line,
                    new Screen(
                            InputStream.nullInputStream(),
                            new PrintStream(
                                    new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
                            System.err,
                            false,
                            false,
                            Map.of("FAIRLEAD_HOME", home.toString()),
                            here));
        }
    }

    private static void config(Path file, Path store) throws IOException {
        Files.writeString(
                file,
                """
                engine: local
                config_param:
                  code_path: {storage: 'file:%1$s', path: code/code.zip}
                  data_folder: {storage: 'file:%1$s', path: data}
                """
                        .formatted(store));
    }

    private static void blobConfig(Path here, String endpoint) throws IOException {
        Path accounts = Files.createDirectories(here.resolve("aux_data/configs"));
        Files.writeString(
                accounts.resolve("account.yaml"),
                """
                account_name: %s
                account_key: cmVoZWFyc2Fs
                container_name: code
                endpoint: %s
                """
                        .formatted(RehearsalBlobs.ACCOUNT, endpoint));
        Files.writeString(
                here.resolve("aux_data/aml/blob.yaml"),
                """
                engine: local
                config_param:
                  code_path: {azure_blob_config_file: aux_data/configs/account.yaml, path: code.zip}
                  data_folder: {azure_blob_config_file: aux_data/configs/account.yaml, path: data}
                """);
    }
}
