package fairlead.dialects.act.config;

import fairlead.dialects.yaml.Reading;
import fairlead.dialects.yaml.Section;
import fairlead.dialects.yaml.Value;
import fairlead.dialects.yaml.YamlFile;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The stores that a config file names, by a folder or by an account file. Each account file is read
 * once. No message shows a key or a signature.
 */
public final class Stores {
    public static final String ACCOUNT_FILE = "azure_blob_config_file";
    static final String STORAGE = "storage";

    private static final String FILE = "file:";
    private static final String ACCOUNT = "[a-z0-9]{3,24}";
    private static final String CONTAINER = "[a-z0-9](?:-?[a-z0-9]){2,62}|\\$root|\\$web";
    private static final List<String> ACCOUNT_KEYS =
            List.of(
                    "account_name",
                    "account_key",
                    "sas_token",
                    "container_name",
                    "endpoint",
                    "_base_");

    private final Reading reading;
    private final Map<Path, Optional<Store>> accounts = new HashMap<>();

    public Stores(Reading reading) {
        this.reading = reading;
    }

    /** Whether the section names a store, by either of both keys. */
    public static boolean isNamedBy(Section section) {
        return section.has(STORAGE) || section.has(ACCOUNT_FILE);
    }

    /** The store that this section names. */
    public Optional<Store> namedBy(Section section) {
        if (section.has(STORAGE) && section.has(ACCOUNT_FILE)) {
            section.mistake(STORAGE, "and azure_blob_config_file exclude each other");
            return Optional.empty();
        }
        return section.has(STORAGE) ? folder(section) : account(section);
    }

    private static Optional<Store> folder(Section section) {
        String text = section.text(STORAGE).orElse(null);
        if (text == null) return Optional.empty();
        if (!text.startsWith(FILE)) {
            section.mistake(
                    STORAGE,
                    "must be file:/FOLDER, but is '"
                            + text
                            + "'; a container of Azure Blob is named by azure_blob_config_file");
            return Optional.empty();
        }
        String path = text.substring(FILE.length()).replaceFirst("^///+", "/");
        try {
            Path folder = Path.of(path);
            boolean climbs = List.of(path.split("/")).contains("..");
            if (folder.isAbsolute() && folder.getNameCount() > 0 && !climbs) {
                return Optional.of(new Store.Folder(folder.normalize()));
            }
        } catch (InvalidPathException _) {
            // Refused below, like every other text that names no folder.
        }
        section.mistake(
                STORAGE,
                "must name a folder by its whole path, such as file:/shared/ann, but is '"
                        + text
                        + "'");
        return Optional.empty();
    }

    private Optional<Store> account(Section section) {
        String name = section.needed(ACCOUNT_FILE).orElse(null);
        if (name == null) return Optional.empty();
        Path file;
        try {
            file = reading.resolve(name);
        } catch (InvalidPathException _) {
            section.mistake(ACCOUNT_FILE, "is no path");
            return Optional.empty();
        }
        Optional<Store> known = accounts.get(file);
        if (known != null) return known;
        Optional<Store> read =
                YamlFile.read(reading, file, section.spot(ACCOUNT_FILE)).flatMap(this::blob);
        accounts.put(file, read);
        return read;
    }

    private Optional<Store> blob(Value.Block block) {
        var section = new Section(reading, "", block);
        section.warnUnknown(ACCOUNT_KEYS);
        Optional<String> account = named(section, "account_name", ACCOUNT);
        Optional<String> container = named(section, "container_name", CONTAINER);
        Optional<String> sas = sas(section);
        Optional<String> key = key(section, sas.isPresent());
        if (!section.has("sas_token") && !section.has("account_key")) {
            section.mistake("sas_token", "is missing, and so is account_key: one must be there");
        }
        Optional<String> endpoint = endpoint(section);
        if (account.isEmpty() || container.isEmpty()) return Optional.empty();
        return Optional.of(new Store.Blob(account.get(), key, sas, container.get(), endpoint));
    }

    private static Optional<String> named(Section section, String key, String pattern) {
        Optional<String> name = section.needed(key);
        if (name.isEmpty() || name.get().matches(pattern)) return name;
        section.mistake(
                key,
                key.equals("account_name")
                        ? "must be 3 to 24 small letters and digits, but is '" + name.get() + "'"
                        : "must be 3 to 63 small letters, digits and single hyphens, but is '"
                                + name.get()
                                + "'");
        return Optional.empty();
    }

    private static Optional<String> sas(Section section) {
        Optional<String> sas = section.text("sas_token");
        if (sas.isEmpty()) return sas;
        if (!sas.get().startsWith("?")) {
            section.mistake("sas_token", "must start with the question mark '?'");
            return Optional.empty();
        }
        if (sas.get().matches("\\?[!-~]+")) return sas;
        section.mistake("sas_token", "has a character that no signature has, such as a blank");
        return Optional.empty();
    }

    /** With a signature the key is not needed, so that a placeholder for it does no harm. */
    private static Optional<String> key(Section section, boolean hasSas) {
        Optional<String> key = section.text("account_key");
        if (key.isEmpty()) return key;
        try {
            if (Base64.getDecoder().decode(key.get()).length > 0) return key;
        } catch (IllegalArgumentException _) {
            // Refused below, together with an empty one.
        }
        String problem = "is no Base64 text, as the keys of Azure are";
        if (hasSas) section.warn("account_key", problem + "; the sas_token is used");
        else section.mistake("account_key", problem);
        return Optional.empty();
    }

    private static Optional<String> endpoint(Section section) {
        Optional<String> text = section.text("endpoint");
        if (text.isEmpty()) return text;
        try {
            var uri = new URI(text.get());
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean isBare = uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (isHttp && uri.getHost() != null && uri.getRawUserInfo() == null && isBare) {
                return Optional.of(text.get().replaceFirst("/+$", ""));
            }
        } catch (URISyntaxException _) {
            // Refused below.
        }
        section.mistake(
                "endpoint",
                "must be the address of the account, such as http://127.0.0.1:10000/NAME");
        return Optional.empty();
    }
}
