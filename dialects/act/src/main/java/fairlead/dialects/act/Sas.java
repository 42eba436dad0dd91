package fairlead.dialects.act;

import fairlead.dialects.act.config.Store;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature that opens one container of Azure Blob for a time: the account file's own, or one
 * made here with the account's key, which therefore never leaves this machine.
 */
public final class Sas {
    /** A job may wait and run so long. A signature cannot be taken back, so it is not for ever. */
    public static final Duration LIFETIME = Duration.ofDays(30);

    /** One that ends sooner may end under a job of today. Longer jobs are rare. */
    private static final Duration SOON = Duration.ofDays(7);

    private static final String VERSION = "2020-12-06";

    /** Read, add, create, write, delete and list: what a job does with its code and folders. */
    private static final String PERMISSIONS = "racwdl";

    private static final String CONTAINER = "c";

    private Sas() {}

    /**
     * A signature that is good now, with its question mark. The account file's own goes before one
     * of the key, unless it ends before a job may.
     *
     * @throws SignatureEnded where the account file's own has ended and there is no key to make
     *     another
     */
    public static String of(Store.Blob store, Instant now) throws SignatureEnded {
        Optional<Instant> end = store.sas().flatMap(Sas::end);
        Instant wanted = now.plus(LIFETIME);
        boolean isShort = store.sas().isEmpty() || end.filter(wanted::isAfter).isPresent();
        if (isShort && store.key().isPresent()) return signed(store, wanted);
        if (end.isEmpty() || end.get().isAfter(now)) return store.sas().orElseThrow();
        throw new SignatureEnded(
                "the sas_token for "
                        + store
                        + " ended at "
                        + end.get()
                        + "; put a new one, or the account_key, into its account file");
    }

    /** When what a job gets will end, where that is soon and there is no key to make another. */
    public static Optional<Instant> endsSoon(Store.Blob store, Instant now) {
        if (store.key().isPresent()) return Optional.empty();
        return store.sas().flatMap(Sas::end).filter(now.plus(SOON)::isAfter);
    }

    /**
     * Which of these rights a signature does not give, such as {@code l} of {@code rl}, as far as
     * it says. One that names a policy of the container leaves its rights to it.
     */
    public static String lacking(Store.Blob store, String rights) {
        String given = rights(store).orElse(rights);
        var lacking = new StringBuilder();
        for (char right : rights.toCharArray()) {
            if (given.indexOf(right) < 0) lacking.append(right);
        }
        return lacking.toString();
    }

    private static Optional<String> rights(Store.Blob store) {
        return store.sas().flatMap(sas -> part(sas, "sp="));
    }

    /** Those of the account file's own signature: who only lets jobs read has meant that. */
    private static String permissions(Store.Blob store) {
        Optional<String> rights = rights(store);
        if (rights.isEmpty()) return PERMISSIONS;
        var kept = new StringBuilder();
        for (char right : PERMISSIONS.toCharArray()) {
            if (rights.get().indexOf(right) >= 0) kept.append(right);
        }
        return kept.isEmpty() ? PERMISSIONS : kept.toString();
    }

    private static Optional<String> part(String sas, String name) {
        for (String part : sas.substring(1).split("&")) {
            if (part.startsWith(name)) return Optional.of(part.substring(name.length()));
        }
        return Optional.empty();
    }

    /** The end that a signature says it has. */
    private static Optional<Instant> end(String sas) {
        Optional<String> end = part(sas, "se=");
        if (end.isEmpty()) return Optional.empty();
        try {
            String text = URLDecoder.decode(end.get(), StandardCharsets.UTF_8);
            // Azure takes a date alone, which means its beginning.
            String time = text.length() == "2026-01-31".length() ? text + "T00:00:00Z" : text;
            String whole = time.replaceFirst("T(\\d\\d:\\d\\d)Z$", "T$1:00Z");
            return Optional.of(OffsetDateTime.parse(whole).toInstant());
        } catch (DateTimeParseException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** A service SAS of the container, as Azure's documents define it for this version. */
    static String signed(Store.Blob store, Instant until) {
        String permissions = permissions(store);
        String end = until.truncatedTo(ChronoUnit.SECONDS).toString();
        String protocol = store.url().startsWith("https:") ? "https" : "";
        // In order: permissions, start, end, resource, policy, addresses, protocol, version, kind,
        // snapshot, encryption scope, and five headers of answers.
        String text =
                String.join(
                        "\n",
                        permissions,
                        "",
                        end,
                        "/blob/" + store.account() + "/" + store.container(),
                        "",
                        "",
                        protocol,
                        VERSION,
                        CONTAINER,
                        "",
                        "",
                        "",
                        "",
                        "",
                        "",
                        "");
        String signature = hmac(store.key().orElseThrow(), text);
        return "?sv="
                + VERSION
                + "&sr="
                + CONTAINER
                + "&sp="
                + permissions
                + "&se="
                + encoded(end)
                + (protocol.isEmpty() ? "" : "&spr=" + protocol)
                + "&sig="
                + encoded(signature);
    }

    private static String hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
