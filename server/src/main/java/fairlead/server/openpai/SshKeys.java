package fairlead.server.openpai;

import static java.nio.charset.StandardCharsets.US_ASCII;

import fairlead.dialects.openpai.PaiLaunch;
import fairlead.server.auth.Hmac;

import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.util.OpenSSHPrivateKeyUtil;
import org.bouncycastle.crypto.util.OpenSSHPublicKeyUtil;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;

/**
 * The key pair of each job for logging in to its tasks (O79), as OpenSSH reads it. Both halves
 * follow from the server's secret and the id, so there is no file to protect, and nothing to remove
 * with the job: its id never comes back. Any thread.
 */
public final class SshKeys implements PaiLaunch.Keys {
    private static final int LINE_CHARS = 70;

    private final Hmac secret;

    public SshKeys(String serverSecret) {
        this.secret = new Hmac(serverSecret);
    }

    /** One line, as it stands in authorized_keys. */
    @Override
    public String publicKey(String job) {
        return OpenSsh.publicKey(seed(job)) + " " + job;
    }

    /** The text of a key file, without a passphrase. */
    @Override
    public String privateKey(String job) {
        return OpenSsh.privateKey(seed(job));
    }

    private byte[] seed(String job) {
        // The words keep it apart from whatever else follows from the secret.
        return secret.code("ssh key of " + job);
    }

    /**
     * The two forms of a pair. Apart, so that a server takes the library up with the first key: its
     * jar is signed, and to check that would be a third of the work of every start.
     */
    private static final class OpenSsh {
        static String publicKey(byte[] seed) {
            try {
                var pair = new Ed25519PrivateKeyParameters(seed);
                byte[] blob = OpenSSHPublicKeyUtil.encodePublicKey(pair.generatePublicKey());
                return "ssh-ed25519 " + Base64.getEncoder().encodeToString(blob);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static String privateKey(byte[] seed) {
            try {
                var pair = new Ed25519PrivateKeyParameters(seed);
                byte[] blob = OpenSSHPrivateKeyUtil.encodePrivateKey(pair);
                String lines =
                        Base64.getMimeEncoder(LINE_CHARS, "\n".getBytes(US_ASCII))
                                .encodeToString(blob);
                return "-----BEGIN OPENSSH PRIVATE KEY-----\n"
                        + lines
                        + "\n-----END OPENSSH PRIVATE KEY-----\n";
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
