package fairlead.journals.postgres;

import fairlead.journal.JournalException;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * Where a database is, as in {@code postgres://fairlead@db.lab.org:5432/fairlead}. Without a
 * password the driver looks for one in {@code ~/.pgpass}. What follows a question mark are options
 * of the driver, such as {@code sslmode=verify-full}.
 *
 * @param shown without the password, for people
 */
record PostgresAddress(String jdbcUrl, String user, String password, String shown) {
    private static final int PORT = 5432;

    static PostgresAddress of(String text) throws JournalException {
        try {
            var uri = new URI(text);
            String user = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo();
            String database = uri.getRawPath() == null ? "" : uri.getRawPath();
            if (uri.getHost() == null || database.length() < 2 || user.isEmpty())
                throw unusable(text);
            int colon = user.indexOf(':');
            String place =
                    "%s:%d%s"
                            .formatted(
                                    uri.getHost(),
                                    uri.getPort() < 0 ? PORT : uri.getPort(),
                                    database);
            String name = decoded(colon < 0 ? user : user.substring(0, colon));
            return new PostgresAddress(
                    "jdbc:postgresql://"
                            + place
                            + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()),
                    name,
                    colon < 0 ? "" : decoded(user.substring(colon + 1)),
                    "postgres://" + name + "@" + place);
        } catch (URISyntaxException _) {
            throw unusable(text);
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static JournalException unusable(String text) {
        return new JournalException(
                "journal: must be as in postgres://user@host:5432/database, but is '%s'"
                        .formatted(text.replaceFirst(":[^:@/]*@", ":...@")));
    }

    Properties login() {
        var login = new Properties();
        login.setProperty("user", user);
        if (!password.isEmpty()) login.setProperty("password", password);
        return login;
    }

    /** A record would show the password. */
    @Override
    public String toString() {
        return shown;
    }
}
