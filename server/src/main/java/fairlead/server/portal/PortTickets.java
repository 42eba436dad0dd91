package fairlead.server.portal;

import fairlead.job.JobId;
import fairlead.job.TaskId;
import fairlead.server.auth.Token;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who may reach which port of a task from a browser's window. Each has a name that nobody can guess
 * and that is a part of the page's address: the page is of another origin than ours, so no cookie
 * goes with what it loads. A restart of the server forgets them. Any thread.
 */
public final class PortTickets {
    static final Duration LENGTH = Duration.ofHours(12);

    /** The oldest goes where there would be more. */
    private static final int TICKETS_MAX = 1_000;

    private final Supplier<Instant> clock;

    private final Map<String, Kept> kept =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
                    return size() > TICKETS_MAX;
                }
            };

    /**
     * @param person who asked for it, and must still be allowed to when it is used
     */
    public record Ticket(String person, JobId job, TaskId task, int port) {}

    private record Kept(Ticket ticket, Instant end) {}

    public PortTickets(Supplier<Instant> clock) {
        this.clock = clock;
    }

    public String give(Ticket ticket) {
        String name = Token.fresh();
        synchronized (kept) {
            kept.put(name, new Kept(ticket, clock.get().plus(LENGTH)));
        }
        return name;
    }

    Optional<Ticket> find(String name) {
        synchronized (kept) {
            return Optional.ofNullable(kept.get(name))
                    .filter(each -> clock.get().isBefore(each.end()))
                    .map(Kept::ticket);
        }
    }
}
