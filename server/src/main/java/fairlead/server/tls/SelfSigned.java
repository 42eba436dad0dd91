package fairlead.server.tls;

import fairlead.api.client.HomeFolder;

import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;

/** Makes a key and a certificate for it that nobody else vouches for. */
final class SelfSigned {
    /** Who trusts it has compared its fingerprint, and would have to do so again after its end. */
    private static final Duration LENGTH = Duration.ofDays(3_650);

    /** For clients whose clocks are late. */
    private static final Duration BEFORE = Duration.ofDays(1);

    private static final int SERIAL_BITS = 127;
    private static final int LINE_CHARS = 64;

    private SelfSigned() {}

    /**
     * Writes both files, which only the server's account can read; they replace what is there.
     *
     * @param names of the server, and its addresses in numbers
     */
    static void write(Path certificate, Path key, Collection<String> names, Instant now)
            throws IOException {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            HomeFolder.own(certificate.getParent());
            // The key first: a certificate without one is what a start takes for none.
            write(key, "PRIVATE KEY", pair.getPrivate().getEncoded());
            write(certificate, "CERTIFICATE", certificate(pair, names, now));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256 and ECDSA", e);
        }
    }

    private static byte[] certificate(KeyPair pair, Collection<String> names, Instant now)
            throws IOException, GeneralSecurityException {
        var algorithm = new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
        var name = new X500Name("CN=fairlead");
        var extensions = new ExtensionsGenerator();
        extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        extensions.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
        var content = new V3TBSCertificateGenerator();
        content.setSerialNumber(new ASN1Integer(new BigInteger(SERIAL_BITS, new SecureRandom())));
        content.setSignature(algorithm);
        content.setIssuer(name);
        content.setSubject(name);
        content.setStartDate(new Time(Date.from(now.minus(BEFORE))));
        content.setEndDate(new Time(Date.from(now.plus(LENGTH))));
        content.setSubjectPublicKeyInfo(
                SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
        content.setExtensions(extensions.generate());
        var signed = content.generateTBSCertificate();
        var signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(signed.getEncoded());
        var parts = new ASN1EncodableVector();
        parts.add(signed);
        parts.add(algorithm);
        parts.add(new DERBitString(signature.sign()));
        return new DERSequence(parts).getEncoded();
    }

    private static GeneralNames alternatives(Collection<String> names) {
        return new GeneralNames(
                names.stream()
                        .map(
                                each ->
                                        new GeneralName(
                                                each.matches("[0-9.]+|.*:.*")
                                                        ? GeneralName.iPAddress
                                                        : GeneralName.dNSName,
                                                each))
                        .toArray(GeneralName[]::new));
    }

    private static void write(Path file, String kind, byte[] bytes) throws IOException {
        var base64 = Base64.getMimeEncoder(LINE_CHARS, new byte[] {'\n'});
        String text =
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(kind, base64.encodeToString(bytes), kind);
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        HomeFolder.create(fresh);
        Files.write(fresh, text.getBytes(StandardCharsets.US_ASCII));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
