package fairlead.storage;

import java.util.Optional;

/**
 * As whom, and by which secret, a storage is opened. The secrets are in no text that this gives of
 * itself.
 *
 * @param user where the storage asks for a user
 * @param key the account's whole key
 * @param sas a signature for some of the account, with or without the question mark in front
 * @param endpoint where the storage is reached, in place of its scheme's own place
 */
public record Access(
        String user, Optional<String> key, Optional<String> sas, Optional<String> endpoint) {
    /** Of a user, without any secret. */
    public static Access as(String user) {
        return new Access(user, Optional.empty(), Optional.empty(), Optional.empty());
    }

    @Override
    public String toString() {
        return "Access[user=%s, key=%s, sas=%s, endpoint=%s]"
                .formatted(user, told(key), told(sas), place());
    }

    /** Without what follows a question mark: somebody may have put a SAS there. */
    private String place() {
        return endpoint.map(text -> text.replaceAll("\\?.*", "")).orElse("none");
    }

    private static String told(Optional<String> secret) {
        return secret.isPresent() ? "given" : "none";
    }
}
