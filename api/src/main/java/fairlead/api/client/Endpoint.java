package fairlead.api.client;

import java.net.URI;

/**
 * Where a server listens, and the token that opens it. The token never appears in a text.
 *
 * @param fingerprint of the certificate that it must have; null: one that this machine trusts
 */
public record Endpoint(URI url, String token, String fingerprint) {
    /** A port that the url leaves out is the one of its scheme. */
    public Endpoint {
        String scheme = url.getScheme();
        if (!"http".equals(scheme) && !"https".equals(scheme) || url.getHost() == null) {
            throw new IllegalArgumentException("not an http or https url: " + url);
        }
    }

    /** One whose certificate this machine trusts, or which needs none. */
    public Endpoint(URI url, String token) {
        this(url, token, null);
    }

    public boolean tls() {
        return "https".equals(url.getScheme());
    }

    int port() {
        return url.getPort() > 0 ? url.getPort() : tls() ? 443 : 80;
    }

    @Override
    public String toString() {
        return url.toString();
    }

    /**
     * Finds the server; asked before each connection, because a restarted server may have moved.
     */
    @FunctionalInterface
    public interface Locator {
        Endpoint locate() throws Unreachable;
    }
}
