package fairlead.storage.azureblob;

import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An account of Azure Blob Storage and the secret that opens it. Its text shows no secret.
 *
 * @param key where there is one, it is used and the SAS is not
 * @param sas without a question mark
 */
record Account(String name, String endpoint, Optional<String> key, Optional<String> sas) {
    private static final Pattern END = Pattern.compile("(?:^|&)se=([^&]*)");
    private static final Pattern RIGHTS = Pattern.compile("(?:^|&)sp=([^&]*)");

    Account {
        sas = sas.map(text -> text.startsWith("?") ? text.substring(1) : text);
    }

    /** When the SAS ends, or has ended. */
    Optional<Instant> end() {
        if (key.isPresent() || sas.isEmpty()) return Optional.empty();
        Matcher end = END.matcher(sas.get());
        if (!end.find()) return Optional.empty();
        try {
            String text = end.group(1).replace("%3A", ":").replace("%3a", ":");
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    /** The letters of what the SAS allows, where it says that itself. */
    Optional<String> rights() {
        if (key.isPresent() || sas.isEmpty()) return Optional.empty();
        Matcher rights = RIGHTS.matcher(sas.get());
        return rights.find() ? Optional.of(rights.group(1)) : Optional.empty();
    }

    String host() {
        return URI.create(endpoint).getAuthority();
    }

    @Override
    public String toString() {
        return "Account[" + name + " at " + endpoint + "]";
    }
}
