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

    private static final String VERSION = "2020-12-06";

    /** Read, add, create, write, delete and list: what a job does with its code and folders. */
    private static final String PERMISSIONS = "racwdl";

    private static final String CONTAINER = "c";

    private Sas() {}

    /**
     * A signature that is good now, with its question mark.
     *
     * @throws Misuse where the account file's own has ended and there is no key to make another
     */
    public static String of(Store.Blob store, Instant now) throws Misuse {
        Optional<Instant> end = store.sas().flatMap(Sas::end);
        boolean isOver = end.isPresent() && !end.get().isAfter(now);
        if (store.sas().isPresent() && !isOver) return store.sas().get();
        if (store.key().isPresent()) return signed(store, now.plus(LIFETIME));
        throw new Misuse(
                "the sas_token for "
                        + store
                        + " ended at "
                        + end.orElseThrow()
                        + "; put a new one, or the account_key, into its account file");
    }

    /** The end that a signature tells of itself. */
    private static Optional<Instant> end(String sas) {
        for (String part : sas.substring(1).split("&")) {
            if (!part.startsWith("se=")) continue;
            try {
                String text = URLDecoder.decode(part.substring(3), StandardCharsets.UTF_8);
                // Azure takes a date alone, which means its beginning.
                String time = text.length() == "2026-01-31".length() ? text + "T00:00:00Z" : text;
                String whole = time.replaceFirst("T(\\d\\d:\\d\\d)Z$", "T$1:00Z");
                return Optional.of(OffsetDateTime.parse(whole).toInstant());
            } catch (DateTimeParseException | IllegalArgumentException _) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** A service SAS of the container, as Azure's documents define it for this version. */
    static String signed(Store.Blob store, Instant until) {
        String end = until.truncatedTo(ChronoUnit.SECONDS).toString();
        String protocol = store.url().startsWith("https:") ? "https" : "";
        // In order: permissions, start, end, resource, policy, addresses, protocol, version, kind,
        // snapshot, encryption scope, and five headers of answers.
        String text =
                String.join(
                        "\n",
                        PERMISSIONS,
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
                + PERMISSIONS
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
