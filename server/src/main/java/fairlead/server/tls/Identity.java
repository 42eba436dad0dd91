package fairlead.server.tls;

import fairlead.api.client.Fingerprint;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certificate with those that vouch for it, and the key that it is about.
 *
 * @param chain the server's own first
 */
record Identity(List<X509Certificate> chain, PrivateKey key) {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY");

    Identity {
        chain = List.copyOf(chain);
    }

    /**
     * @throws IOException where they cannot be read or do not fit, in words for whoever set them
     */
    static Identity read(Path certificate, Path keyFile) throws IOException {
        List<X509Certificate> chain = certificates(certificate);
        PrivateKey key = key(keyFile, chain.getFirst().getPublicKey().getAlgorithm());
        if (!fits(key, chain.getFirst().getPublicKey()))
            throw new IOException(
                    keyFile + " is not the key of the first certificate of " + certificate);
        return new Identity(chain, key);
    }

    private static List<X509Certificate> certificates(Path file) throws IOException {
        try {
            var factory = CertificateFactory.getInstance("X.509");
            var all =
                    factory.generateCertificates(
                            new ByteArrayInputStream(Files.readAllBytes(file)));
            if (all.isEmpty()) throw new IOException(file + " holds no certificate in PEM");
            return all.stream().map(X509Certificate.class::cast).toList();
        } catch (GeneralSecurityException bad) {
            throw new IOException(
                    file + " holds no certificate in PEM (" + bad.getMessage() + ")", bad);
        }
    }

    private static PrivateKey key(Path file, String algorithm) throws IOException {
        Matcher found = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!found.find())
            throw new IOException(
                    file
                            + " holds no 'PRIVATE KEY' in PEM; 'openssl pkcs8 -topk8 -nodes -in"
                            + " FILE' writes another kind of key so");
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(found.group(1));
            return KeyFactory.getInstance(algorithm)
                    .generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException bad) {
            throw new IOException(file + " holds no key of the kind " + algorithm, bad);
        }
    }

    /** Tried, because keys of different kinds are compared in different ways. */
    private static boolean fits(PrivateKey key, PublicKey known) {
        String algorithm =
                key.getAlgorithm().startsWith("EC") ? "SHA256withECDSA" : "SHA256withRSA";
        if (key.getAlgorithm().startsWith("Ed")) algorithm = key.getAlgorithm();
        byte[] text = "the same key".getBytes(StandardCharsets.US_ASCII);
        try {
            var signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(text);
            var checking = Signature.getInstance(algorithm);
            checking.initVerify(known);
            checking.update(text);
            return checking.verify(signing.sign());
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    /** Whether nobody vouches for the certificate, so that who connects has to know it. */
    boolean isSelfSigned() {
        X509Certificate own = chain.getFirst();
        return own.getSubjectX500Principal().equals(own.getIssuerX500Principal());
    }

    String fingerprint() {
        return Fingerprint.of(chain.getFirst());
    }
}
