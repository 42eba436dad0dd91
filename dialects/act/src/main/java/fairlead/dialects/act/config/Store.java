package fairlead.dialects.act.config;

import java.nio.file.Path;
import java.util.Optional;

/** A place that keeps code and data for laptops and jobs alike. */
public sealed interface Store {
    /** A folder that the laptop and every node see at the same path. */
    record Folder(Path path) implements Store {
        public Folder {
            if (!path.isAbsolute()) throw new IllegalArgumentException("not absolute: " + path);
        }

        @Override
        public String toString() {
            return "file:" + path;
        }
    }

    /**
     * A container of an Azure Blob account. Its text shows no secret.
     *
     * @param sas with its question mark
     * @param endpoint the address of the account where it is not Azure's own, such as {@code
     *     http://127.0.0.1:10000/devstoreaccount1}, without a slash at its end
     */
    record Blob(
            String account,
            Optional<String> key,
            Optional<String> sas,
            String container,
            Optional<String> endpoint)
            implements Store {
        /** Where the container is, without a slash at its end. */
        public String url() {
            return endpoint.orElse("https://" + account + ".blob.core.windows.net")
                    + "/"
                    + container;
        }

        @Override
        public String toString() {
            return "azureblob://" + account + "/" + container;
        }
    }
}
