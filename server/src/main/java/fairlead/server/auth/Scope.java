package fairlead.server.auth;

import java.util.Locale;
import java.util.Optional;

/** What a token lets its holder do of what they may. */
public enum Scope {
    /** Look. */
    READ,
    /** Also submit and change jobs. */
    SUBMIT,
    /** All. */
    ADMIN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Scope> of(String word) {
        for (Scope each : values()) if (each.word().equals(word)) return Optional.of(each);
        return Optional.empty();
    }
}
