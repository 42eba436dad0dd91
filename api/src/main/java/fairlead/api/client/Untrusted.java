package fairlead.api.client;

import javax.net.ssl.SSLHandshakeException;

/** A server answers, but has a certificate that is not trusted; it was sent nothing. */
public final class Untrusted extends Unreachable {
    private static final long serialVersionUID = 1;

    Untrusted(Endpoint endpoint, SSLHandshakeException cause) {
        super(
                "the server at "
                        + endpoint
                        + " is not trusted: "
                        + (other(cause) == null ? cause.getMessage() : other(cause).getMessage()),
                cause);
    }

    private static Fingerprint.OtherCertificate other(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause())
            if (each instanceof Fingerprint.OtherCertificate other) return other;
        return null;
    }
}
