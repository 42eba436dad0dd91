package fairlead.journals.sql;

import fairlead.job.Person;
import fairlead.job.Project;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Projects and people as rows of the journal's tables. */
final class PeopleRows {
    static final String KEEP_PROJECT =
            "INSERT INTO project (name, quota, members, interactive_max, interactive_limit,"
                    + " stopped) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET quota ="
                    + " excluded.quota, members = excluded.members, interactive_max ="
                    + " excluded.interactive_max, interactive_limit = excluded.interactive_limit,"
                    + " stopped = excluded.stopped";

    static final String DELETE_PROJECT = "DELETE FROM project WHERE name = ?";

    static final String PROJECTS =
            "SELECT name, quota, members, interactive_max, interactive_limit, stopped FROM project"
                    + " ORDER BY name";

    static final String KEEP_PERSON =
            "INSERT INTO person (name, token_hash, admin, project, password_hash, github_pat)"
                    + " VALUES (?, ?, ?, ?, ?, ?)"
                    + " ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash,"
                    + " admin = excluded.admin, project = excluded.project,"
                    + " password_hash = excluded.password_hash, github_pat = excluded.github_pat";

    static final String DELETE_PERSON = "DELETE FROM person WHERE name = ?";

    static final String PEOPLE =
            "SELECT name, token_hash, admin, project, password_hash, github_pat FROM person"
                    + " ORDER BY name";

    /** No name holds one. */
    private static final String SEPARATOR = "\n";

    private PeopleRows() {}

    static void bind(PreparedStatement row, Project project) throws SQLException {
        row.setString(1, project.name());
        row.setObject(2, orNull(project.quota()));
        row.setString(3, String.join(SEPARATOR, project.members()));
        row.setObject(4, orNull(project.interactiveMax()));
        row.setLong(5, project.interactiveLimit().toNanos());
        row.setInt(6, project.stopped() ? 1 : 0);
    }

    private static Integer orNull(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    static Project project(ResultSet row) throws SQLException {
        String name = row.getString(1);
        String members = row.getString(3);
        try {
            return new Project(
                    name,
                    number(row, 2),
                    members.isEmpty() ? Set.of() : Set.copyOf(List.of(members.split(SEPARATOR))),
                    number(row, 4),
                    Duration.ofNanos(row.getLong(5)),
                    row.getBoolean(6));
        } catch (IllegalArgumentException e) {
            throw new SQLException("project " + name + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static OptionalInt number(ResultSet row, int column) throws SQLException {
        int number = row.getInt(column);
        return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(number);
    }

    static void bind(PreparedStatement row, Person person) throws SQLException {
        row.setString(1, person.name());
        row.setString(2, person.tokenHash());
        row.setInt(3, person.admin() ? 1 : 0);
        row.setString(4, person.project());
        row.setString(5, person.passwordHash().orElse(null));
        row.setInt(6, person.hasGitHubPat() ? 1 : 0);
    }

    static Person person(ResultSet row) throws SQLException {
        String name = row.getString(1);
        try {
            return new Person(
                    name,
                    row.getString(2),
                    row.getBoolean(3),
                    row.getString(4),
                    Optional.ofNullable(row.getString(5)),
                    row.getBoolean(6));
        } catch (IllegalArgumentException e) {
            throw new SQLException("person " + name + " cannot be read: " + e.getMessage(), e);
        }
    }
}
