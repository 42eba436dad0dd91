package fairlead.server.auth;

import fairlead.journal.Document;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is kept of people besides their name, password and first token: more tokens, who is a
 * viewer, who is disabled, who looks after which project. Any thread.
 */
public final class Roster {
    /** Of one person; whoever needs more revokes some. */
    public static final int TOKENS_MAX = 50;

    private static final String TOKEN = "token";
    private static final String VIEWER = "viewer";
    private static final String DISABLED = "disabled";
    private static final String PROJECT_ADMIN = "project-admin";

    /** Between two names; none has one. */
    private static final String SEPARATOR = "/";

    private static final String NEVER = "never";

    private final Journal journal;
    private volatile Map<String, PersonalToken> byHash = Map.of();
    private volatile Set<String> viewers = Set.of();
    private volatile Set<String> disabled = Set.of();
    private volatile Map<String, Set<String>> projects = Map.of();

    /**
     * One of several tokens of a person. The token itself is kept nowhere.
     *
     * @param expires the first moment at which it no longer works; empty: never
     */
    public record PersonalToken(
            String person,
            String name,
            String hash,
            Scope scope,
            Instant created,
            Optional<Instant> expires) {
        boolean works(Instant now) {
            return expires.map(now::isBefore).orElse(true);
        }

        private Document document() {
            String end = expires.map(Instant::toString).orElse(NEVER);
            return new Document(
                    TOKEN,
                    person + SEPARATOR + name,
                    String.join("\n", hash, scope.word(), created.toString(), end));
        }

        private static PersonalToken read(Document document) {
            String[] names = document.name().split(SEPARATOR, 2);
            String[] lines = document.text().split("\n");
            return new PersonalToken(
                    names[0],
                    names[1],
                    lines[0],
                    Scope.of(lines[1]).orElseThrow(),
                    Instant.parse(lines[2]),
                    lines[3].equals(NEVER)
                            ? Optional.empty()
                            : Optional.of(Instant.parse(lines[3])));
        }
    }

    public Roster(Journal journal) throws JournalException {
        this.journal = journal;
        read();
    }

    private void read() throws JournalException {
        var tokens = new HashMap<String, PersonalToken>();
        for (Document each : journal.documents(TOKEN)) {
            PersonalToken token = PersonalToken.read(each);
            tokens.put(token.hash(), token);
        }
        var byPerson = new HashMap<String, Set<String>>();
        for (Document each : journal.documents(PROJECT_ADMIN)) {
            String[] names = each.name().split(SEPARATOR, 2);
            byPerson.computeIfAbsent(names[1], _ -> new TreeSet<>()).add(names[0]);
        }
        byHash = Map.copyOf(tokens);
        projects = Map.copyOf(byPerson);
        viewers = names(VIEWER);
        disabled = names(DISABLED);
    }

    private Set<String> names(String kind) throws JournalException {
        return journal.documents(kind).stream().map(Document::name).collect(Collectors.toSet());
    }

    public boolean isViewer(String person) {
        return viewers.contains(person);
    }

    public boolean isDisabled(String person) {
        return disabled.contains(person);
    }

    /** The projects that somebody looks after. */
    public Set<String> administers(String person) {
        return projects.getOrDefault(person, Set.of());
    }

    /** Who looks after a project, by name. */
    public List<String> adminsOf(String project) {
        return projects.entrySet().stream()
                .filter(each -> each.getValue().contains(project))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** The token with this hash that works now. */
    Optional<PersonalToken> token(String hash, Instant now) {
        return Optional.ofNullable(byHash.get(hash)).filter(each -> each.works(now));
    }

    /** Of one person, by name, also those that work no more. */
    public List<PersonalToken> tokens(String person) {
        return byHash.values().stream()
                .filter(each -> each.person().equals(person))
                .sorted(Comparator.comparing(PersonalToken::name))
                .toList();
    }

    public synchronized void keep(PersonalToken token) throws JournalException {
        journal.keep(token.document());
        read();
    }

    public synchronized void revoke(String person, String token) throws JournalException {
        journal.deleteDocument(TOKEN, person + SEPARATOR + token);
        read();
    }

    public void setViewer(String person, boolean isSo) throws JournalException {
        set(VIEWER, person, isSo);
    }

    public void setDisabled(String person, boolean isSo) throws JournalException {
        set(DISABLED, person, isSo);
    }

    public void setProjectAdmin(String project, String person, boolean isSo)
            throws JournalException {
        set(PROJECT_ADMIN, project + SEPARATOR + person, isSo);
    }

    private synchronized void set(String kind, String name, boolean isSo) throws JournalException {
        if (isSo) journal.keep(new Document(kind, name, ""));
        else journal.deleteDocument(kind, name);
        read();
    }

    /** Forgets all that is kept of somebody. */
    public synchronized void forget(String person) throws JournalException {
        for (PersonalToken each : tokens(person))
            journal.deleteDocument(TOKEN, person + SEPARATOR + each.name());
        for (String project : administers(person))
            journal.deleteDocument(PROJECT_ADMIN, project + SEPARATOR + person);
        journal.deleteDocument(VIEWER, person);
        journal.deleteDocument(DISABLED, person);
        read();
    }

    /** Nobody looks after a project that is gone. */
    public synchronized void forgetProject(String project) throws JournalException {
        for (String person : adminsOf(project))
            journal.deleteDocument(PROJECT_ADMIN, project + SEPARATOR + person);
        read();
    }
}
