package fairlead.server.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * How the server is known on encrypted connections. New files are taken up while it runs, by new
 * connections; files that are wrong are reported, and what was there before goes on. Any thread.
 */
public final class ServerTls {
    /** Whoever renews a certificate does so days before its end. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private static final System.Logger LOG = System.getLogger(ServerTls.class.getName());

    private final Path certificate;
    private final Path key;
    private final SSLContext context;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Identity identity;
    private List<FileTime> seen;

    private ServerTls(Path certificate, Path key) throws IOException {
        this.certificate = certificate;
        this.key = key;
        this.seen = times();
        this.identity = Identity.read(certificate, key);
        try {
            this.context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new Current()}, null, null);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }

    /** Of these two files in PEM. */
    public static ServerTls of(Path certificate, Path key) throws IOException {
        return new ServerTls(certificate, key);
    }

    /**
     * Of a certificate that the server has made itself, now or at an earlier start.
     *
     * @param folder where it is kept
     * @param names what the server is called, for a new one
     */
    public static ServerTls own(Path folder, Collection<String> names, Instant now)
            throws IOException {
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        if (!Files.exists(certificate)) SelfSigned.write(certificate, key, names, now);
        return new ServerTls(certificate, key);
    }

    public SSLContext context() {
        return context;
    }

    /** What clients compare. */
    public String fingerprint() {
        return identity.fingerprint();
    }

    /** The fingerprint where clients can know the certificate by nothing else. */
    public Optional<String> pin() {
        Identity now = identity;
        return now.isSelfSigned() ? Optional.of(now.fingerprint()) : Optional.empty();
    }

    /** Looks from now on whether the files have changed. */
    public void start() {
        Thread.ofVirtual().name("certificate-watch").start(this::watch);
    }

    public void stop() {
        stopped.countDown();
    }

    private void watch() {
        try {
            while (!stopped.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) look();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes up files that have changed. */
    synchronized void look() {
        List<FileTime> now;
        try {
            now = times();
            if (now.equals(seen)) return;
        } catch (IOException _) {
            // They are being replaced.
            return;
        }
        try {
            identity = Identity.read(certificate, key);
            LOG.log(System.Logger.Level.INFO, "uses the new certificate of {0}", certificate);
        } catch (IOException wrong) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "goes on with the old certificate: {0}",
                    wrong.getMessage());
        }
        seen = now;
    }

    private List<FileTime> times() throws IOException {
        return List.of(Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
    }

    /** Whatever the identity is when somebody connects. */
    private final class Current extends X509ExtendedKeyManager {
        /** There is one for whatever is asked. */
        private static final String ALIAS = "server";

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return chosen(type);
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return chosen(type);
        }

        private String chosen(String type) {
            String algorithm = identity.key().getAlgorithm();
            return type.startsWith(algorithm) || algorithm.startsWith("Ed") ? ALIAS : null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return identity.chain().toArray(X509Certificate[]::new);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return identity.key();
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return null;
        }
    }
}
