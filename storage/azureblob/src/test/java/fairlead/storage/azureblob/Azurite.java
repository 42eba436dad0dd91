package fairlead.storage.azureblob;

import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;

import fairlead.storage.Access;
import fairlead.storage.Address;
import fairlead.storage.StorageException;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real Azurite, the emulator of Azure Blob Storage, on a port of its own. {@code ./check}
 * installs it into .build/azurite; where it is not there, tests that start it are skipped and say
 * so.
 */
public final class Azurite implements AutoCloseable {
    /** The account and key that every Azurite has; both are public. */
    public static final String ACCOUNT = "devstoreaccount1";

    public static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /** Another account, for copies between two. */
    public static final String SECOND_ACCOUNT = "second";

    private static final Pattern LISTENS = Pattern.compile("listens on http://[^:]+:([0-9]+)");

    private final Process process;
    private final int port;

    private Azurite(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Keeps its blobs in the folder. */
    public static Azurite start(Path folder) throws IOException {
        Path program = program();
        var command =
                List.of(
                        "node",
                        program.toString(),
                        "--skipApiVersionCheck",
                        "--disableTelemetry",
                        "--silent",
                        "--blobPort",
                        "0",
                        "--location",
                        folder.toString());
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .put("AZURITE_ACCOUNTS", ACCOUNT + ":" + KEY + ";" + SECOND_ACCOUNT + ":" + KEY);
        Process process = builder.start();
        return new Azurite(process, port(process));
    }

    private static Path program() throws IOException {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path program = at.resolve(".build/azurite/node_modules/azurite/dist/src/blob/main.js");
            if (Files.exists(program)) return program;
        }
        throw new IOException("Azurite is not in .build/azurite; ./check installs it");
    }

    private static int port(Process process) throws IOException {
        BufferedReader lines = process.inputReader();
        var said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            Matcher listens = LISTENS.matcher(line);
            if (listens.find()) return Integer.parseInt(listens.group(1));
        }
        throw new IOException("Azurite did not start: " + said);
    }

    public int port() {
        return port;
    }

    public String endpoint() {
        return endpoint(ACCOUNT);
    }

    public String endpoint(String account) {
        return "http://127.0.0.1:" + port + "/" + account;
    }

    public Access byKey() {
        return byKey(ACCOUNT);
    }

    public Access byKey(String account) {
        return new Access("", Optional.of(KEY), Optional.empty(), Optional.of(endpoint(account)));
    }

    public Access bySas() {
        return bySas(sas(Duration.ofHours(1), "rwdlac"));
    }

    public Access bySas(String sas) {
        return new Access("", Optional.empty(), Optional.of(sas), Optional.of(endpoint()));
    }

    /** For the whole account, with a question mark in front as people have it in their files. */
    public String sas(Duration valid, String permissions) {
        var values =
                new AccountSasSignatureValues(
                        OffsetDateTime.now().plus(valid),
                        AccountSasPermission.parse(permissions),
                        new AccountSasService().setBlobAccess(true),
                        AccountSasResourceType.parse("sco"));
        return "?" + service(ACCOUNT).generateAccountSas(values);
    }

    /** Makes a container; it may be there already. */
    public Address container(String name) throws StorageException {
        return container(ACCOUNT, name);
    }

    public Address container(String account, String name) throws StorageException {
        service(account).createBlobContainerIfNotExists(name);
        return Address.of("azureblob://" + account + "/" + name);
    }

    /** Azure's own client, to see what others would see. */
    public BlobServiceClient service(String account) {
        return new BlobServiceClientBuilder()
                .endpoint(endpoint(account))
                .credential(new StorageSharedKeyCredential(account, KEY))
                .httpClient(new UrlHttpClient())
                .buildClient();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
