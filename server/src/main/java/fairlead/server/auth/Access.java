package fairlead.server.auth;

import fairlead.job.JobId;
import fairlead.job.Person;
import fairlead.job.Project;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Tells who calls by the token of the call. The token of the server's own home is its owner's, who
 * is an admin; everyone else has the one that an admin made for them, whoever logs in with a
 * password gets one with an end, and every job has one that speaks for itself. Any thread.
 */
public final class Access {
    private static final String SCHEME = "Bearer ";
    private static final String BASIC = "Basic ";

    private final String ownerHash;
    private final String owner;
    private final Supplier<Map<String, Person>> people;
    private final JobKeys jobs;
    private final Logins logins;
    private final Roster roster;
    private final Supplier<Instant> clock;
    private volatile Known known = new Known(Map.of(), Map.of());

    /** Everyone by their hash, made anew when somebody changes. */
    private record Known(Map<String, Person> people, Map<String, Person> byHash) {}

    /**
     * @param people everyone as they are now; an unchanged map means that nobody has changed
     */
    public Access(
            String ownerToken,
            String owner,
            Supplier<Map<String, Person>> people,
            JobKeys jobs,
            Logins logins,
            Roster roster,
            Supplier<Instant> clock) {
        this.ownerHash = Token.hash(ownerToken);
        this.owner = owner;
        this.people = people;
        this.jobs = jobs;
        this.logins = logins;
        this.roster = roster;
        this.clock = clock;
    }

    /**
     * Whoever is behind an Authorization header. Only hashes are compared, so the time that it
     * takes says nothing about any token.
     */
    public Optional<Caller> caller(String header) {
        Optional<String> token = token(header);
        if (token.isEmpty()) return Optional.empty();
        String hash = Token.hash(token.get());
        if (hash.equals(ownerHash)) return Optional.of(owner());
        Optional<Roster.PersonalToken> personal = roster.token(hash, clock.get());
        if (personal.isPresent())
            return known(personal.get().person())
                    .map(caller -> caller.with(personal.get().scope()));
        return Optional.ofNullable(byHash().get(hash))
                .or(() -> logins.holder(token.get(), people.get(), clock.get()))
                .flatMap(person -> known(person.name()));
    }

    /** Somebody whom the server knows and who is not disabled. */
    private Optional<Caller> known(String name) {
        boolean isKnown = isOwner(name) || people.get().containsKey(name);
        return isKnown && !roster.isDisabled(name) ? Optional.of(as(name)) : Optional.empty();
    }

    /**
     * The Authorization header of a browser, whose user has typed the token as the password of any
     * name, as it would be with the token alone. Every other header stays as it is.
     */
    public static String bearer(String header) {
        if (!header.regionMatches(true, 0, BASIC, 0, BASIC.length())) return header;
        try {
            byte[] pair = Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            String text = new String(pair, StandardCharsets.UTF_8);
            return SCHEME + text.substring(text.indexOf(':') + 1);
        } catch (IllegalArgumentException _) {
            return header;
        }
    }

    /** The hashes of all that this person may log in with now; of somebody unknown none. */
    public Set<String> credentials(String name) {
        var hashes = new HashSet<String>();
        if (roster.isDisabled(name)) return hashes;
        for (Roster.PersonalToken each : roster.tokens(name))
            if (each.scope() == Scope.ADMIN && each.works(clock.get())) hashes.add(each.hash());
        if (isOwner(name)) hashes.add(ownerHash);
        Person person = people.get().get(name);
        if (person != null) hashes.add(person.tokenHash());
        if (person != null) person.passwordHash().ifPresent(hashes::add);
        return hashes;
    }

    /** The job that is behind an Authorization header. */
    public Optional<JobId> job(String header) {
        return token(header).flatMap(jobs::holder);
    }

    private static Optional<String> token(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(header.substring(SCHEME.length()).strip())
                : Optional.empty();
    }

    private Caller caller(Person person) {
        return new Caller(
                person.name(),
                person.admin(),
                person.project(),
                roster.isViewer(person.name()) && !person.admin(),
                roster.administers(person.name()),
                Scope.ADMIN);
    }

    private Caller owner() {
        Person known = people.get().get(owner);
        return new Caller(owner, true, known == null ? Project.DEFAULT : known.project());
    }

    public boolean isOwner(String name) {
        return name.equals(owner);
    }

    /** As this person would call; somebody unknown has no rights and the default project. */
    public Caller as(String name) {
        if (isOwner(name)) return owner();
        Person person = people.get().get(name);
        return person == null ? new Caller(name, false, Project.DEFAULT) : caller(person);
    }

    /** The server's owner and everyone whom it knows, by name. */
    public Map<String, Caller> everyone() {
        var all = new TreeMap<String, Caller>();
        people.get().forEach((name, person) -> all.put(name, caller(person)));
        all.put(owner, owner());
        return all;
    }

    private Map<String, Person> byHash() {
        Map<String, Person> now = people.get();
        Known last = known;
        if (last.people() != now) {
            var byHash = new HashMap<String, Person>();
            now.values().forEach(person -> byHash.put(person.tokenHash(), person));
            last = new Known(now, byHash);
            known = last;
        }
        return last.byHash();
    }
}
