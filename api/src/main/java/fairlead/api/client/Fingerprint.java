package fairlead.api.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * By what a certificate is known that nobody vouches for: the SHA-256 of all of it, in 64 hex
 * digits.
 */
public final class Fingerprint {
    private static final int TIMEOUT_MS = 5_000;
    private static final String FORM = "[0-9a-f]{64}";

    private Fingerprint() {}

    public static String of(X509Certificate certificate) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was read can be written", e);
        }
    }

    /**
     * As people and other programs write it: with colons, in capitals, with the name before it.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static String parse(String text) {
        String plain =
                text.strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceFirst("^sha-?256( fingerprint)?[:=]", "")
                        .replace(":", "");
        if (plain.matches(FORM)) return plain;
        throw new IllegalArgumentException(
                "a fingerprint has 64 hex digits, but this is '%.80s'".formatted(text));
    }

    /**
     * Of the certificate that a server shows, which is trusted for nothing more than this question.
     */
    public static String shownAt(Endpoint endpoint) throws IOException {
        var seen = new Seen();
        SSLSocketFactory factory = factory(seen);
        int port = endpoint.port();
        try (var plain = new Socket()) {
            plain.connect(new InetSocketAddress(endpoint.url().getHost(), port), TIMEOUT_MS);
            plain.setSoTimeout(TIMEOUT_MS);
            try (var tls =
                    (SSLSocket) factory.createSocket(plain, endpoint.url().getHost(), port, true)) {
                tls.startHandshake();
            }
        }
        return seen.fingerprint;
    }

    /**
     * Whether a server that was called in plain HTTP would answer an encrypted call. On loopback
     * none does, and to ask one that answers nothing takes long.
     */
    static boolean isShownAt(Endpoint endpoint) {
        if (endpoint.tls()) return false;
        try {
            boolean isHere = InetAddress.getByName(endpoint.url().getHost()).isLoopbackAddress();
            return !isHere && shownAt(endpoint) != null;
        } catch (IOException _) {
            return false;
        }
    }

    /** Connections to whoever has this certificate, whatever they are called. */
    static SSLSocketFactory trusting(String fingerprint) {
        return factory(new Pinned(fingerprint));
    }

    private static SSLSocketFactory factory(TrustManager trust) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trust}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }

    private abstract static class OfServers extends X509ExtendedTrustManager {
        abstract void check(String fingerprint) throws CertificateException;

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            check(of(chain[0]));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(of(chain[0]));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(of(chain[0]));
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            throw new CertificateException("no client is known by a certificate");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static final class Pinned extends OfServers {
        private final String fingerprint;

        Pinned(String fingerprint) {
            this.fingerprint = fingerprint;
        }

        @Override
        void check(String found) throws CertificateException {
            if (!found.equals(fingerprint)) throw new OtherCertificate(found);
        }
    }

    private static final class Seen extends OfServers {
        private String fingerprint;

        @Override
        void check(String found) {
            fingerprint = found;
        }
    }

    /** The server has shown another certificate than the one that is trusted. */
    static final class OtherCertificate extends CertificateException {
        private static final long serialVersionUID = 1;

        OtherCertificate(String found) {
            super(
                    "it shows the certificate "
                            + found
                            + ", which is not the one that you trust; if its admins say that it is"
                            + " theirs, log in again");
        }
    }
}
