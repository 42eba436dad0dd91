package fairlead.server.routes;

import fairlead.server.http.Call;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page that shows a queue and asks for it again every 1.5 s.
 *
 * @param policy lets a browser run just the script and the style that are in the page
 */
record QueuePage(String html, String policy) {
    static QueuePage load() {
        try (InputStream in = QueuePage.class.getResourceAsStream("/fairlead/server/queue.html")) {
            if (in == null) throw new IllegalStateException("the build lacks its page");
            String html = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String policy =
                    "default-src 'none'; connect-src 'self'; script-src '%s'; style-src '%s'; frame-ancestors 'none'"
                            .formatted(hash(html, "script"), hash(html, "style"));
            return new QueuePage(html, policy);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String hash(String html, String tag) {
        String begin = "<" + tag + ">";
        int from = html.indexOf(begin) + begin.length();
        String text = html.substring(from, html.indexOf("</" + tag + ">", from));
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void send(Call call) {
        call.header("Content-Security-Policy", policy);
        call.header("X-Content-Type-Options", "nosniff");
        call.header("Cache-Control", "no-store");
        call.sendHtml(html);
    }
}
