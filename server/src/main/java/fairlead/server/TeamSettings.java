package fairlead.server;

import fairlead.server.http.PersonLimits;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What is set on a server for several people.
 *
 * @param tls whether connections are encrypted; empty: where they come from other machines
 * @param certificate in PEM, with those that vouch for it; empty: one that the server makes itself
 * @param key of the certificate; there are both or none
 * @param keepAudit how long lines of the audit are kept
 * @param limits of each person but the server's owner
 */
record TeamSettings(
        Optional<Boolean> tls,
        Optional<Path> certificate,
        Optional<Path> key,
        PersonLimits.Most limits,
        Duration keepAudit) {
    static final TeamSettings DEFAULT =
            new TeamSettings(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    PersonLimits.Most.DEFAULT,
                    Duration.ofDays(365));

    static TeamSettings read(Entries entries) throws StartException {
        Optional<Path> certificate = entries.read("certificate", text -> file("certificate", text));
        Optional<Path> key = entries.read("certificate-key", text -> file("certificate-key", text));
        if (certificate.isPresent() != key.isPresent())
            throw Entries.wrong("certificate and certificate-key: set both or none");
        var limits =
                new PersonLimits.Most(
                        number(entries, "requests-per-person", DEFAULT.limits.requestsPerSecond()),
                        number(entries, "streams-per-person", DEFAULT.limits.streams()));
        return new TeamSettings(
                entries.read("tls", text -> Settings.yes("tls", text)),
                certificate,
                key,
                limits,
                Settings.duration(entries, "keep-audit", DEFAULT.keepAudit));
    }

    private static int number(Entries entries, String key, int otherwise) throws StartException {
        int number =
                entries.read(key, text -> Settings.number(key, text, PersonLimits.MAX))
                        .orElse(otherwise);
        if (number == 0) throw Entries.wrong(key + ": must be at least 1");
        return number;
    }

    private static Path file(String key, String text) {
        Path path = Path.of(text);
        if (path.isAbsolute()) return path;
        throw new IllegalArgumentException(
                key + ": must be an absolute path, but is '" + text + "'");
    }

    /** Whether a server that listens there encrypts what it says. */
    boolean isEncrypted(String host) {
        return tls.orElse(certificate.isPresent() || !host.matches("127\\..*|localhost|::1"));
    }
}
