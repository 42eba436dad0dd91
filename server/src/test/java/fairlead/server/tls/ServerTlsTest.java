package fairlead.server.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.client.Client;
import fairlead.api.client.Endpoint;
import fairlead.api.client.Fingerprint;
import fairlead.api.client.Unreachable;
import fairlead.api.client.Untrusted;
import fairlead.server.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class ServerTlsTest {
    private static final List<String> NAMES = List.of("localhost", "127.0.0.1", "::1");

    @TempDir Path folder;

    @Test
    void aServerOfSeveralPeopleEncryptsAndIsKnownByItsFingerprint() throws Exception {
        try (var server = TestServer.with(folder, Map.of("tls", "yes"))) {
            var about = client(URI.create(server.url()), null).server().value();
            assertTrue(server.url().startsWith("http://127.0.0.1:"), server.url());
            URI address = URI.create(about.address());
            assertEquals("https", address.getScheme());
            assertEquals(about.fingerprint(), Fingerprint.shownAt(new Endpoint(address, null)));
            assertEquals("ann", client(address, about.fingerprint()).me().value().name());
            assertThrows(Untrusted.class, () -> client(address, null).me());
            var other = assertThrows(Untrusted.class, () -> client(address, "0".repeat(64)).me());
            assertTrue(other.getMessage().contains(about.fingerprint()), other.getMessage());
            URI plain = URI.create(about.address().replace("https:", "http:"));
            assertThrows(Unreachable.class, () -> client(plain, null).me());
        }
    }

    private static Client client(URI url, String fingerprint) {
        return new Client(() -> new Endpoint(url, TestServer.TOKEN, fingerprint));
    }

    @Test
    void itsOwnCertificateIsMadeOnceAndItsKeyIsSecret() throws Exception {
        Path home = folder.resolve("tls");
        ServerTls first = ServerTls.own(home, NAMES, Instant.now());
        assertEquals(first.fingerprint(), ServerTls.own(home, NAMES, Instant.now()).fingerprint());
        assertEquals(Optional.of(first.fingerprint()), first.pin());
        for (String name : List.of("key.pem", "certificate.pem"))
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(home.resolve(name))));
    }

    @Test
    void newFilesAreTakenUpAndWrongOnesAreNot() throws Exception {
        Path certificate = folder.resolve("c.pem");
        Path key = folder.resolve("k.pem");
        SelfSigned.write(certificate, key, NAMES, Instant.now());
        ServerTls tls = ServerTls.of(certificate, key);
        String first = tls.fingerprint();
        SelfSigned.write(certificate, key, NAMES, Instant.now());
        touch(certificate, 1);
        tls.look();
        String second = tls.fingerprint();
        assertNotEquals(first, second);
        Files.writeString(certificate, "no certificate");
        touch(certificate, 2);
        tls.look();
        assertEquals(second, tls.fingerprint());
        SelfSigned.write(certificate, folder.resolve("other.pem"), NAMES, Instant.now());
        var unfit = assertThrows(IOException.class, () -> ServerTls.of(certificate, key));
        assertTrue(unfit.getMessage().contains("is not the key"), unfit.getMessage());
        Files.writeString(key, "-----BEGIN RSA PRIVATE KEY-----\n");
        var old = assertThrows(IOException.class, () -> ServerTls.of(certificate, key));
        assertTrue(old.getMessage().contains("openssl pkcs8"), old.getMessage());
    }

    private static void touch(Path file, int seconds) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(seconds)));
    }

    @Test
    void aFingerprintIsReadAsOtherProgramsWriteIt() {
        String plain = "ab".repeat(32);
        String colons = "AB:".repeat(31) + "AB";
        for (String text :
                List.of(plain, colons, "sha256:" + plain, "SHA256 Fingerprint=" + colons))
            assertEquals(plain, Fingerprint.parse(text));
        assertThrows(IllegalArgumentException.class, () -> Fingerprint.parse("ab"));
    }
}
