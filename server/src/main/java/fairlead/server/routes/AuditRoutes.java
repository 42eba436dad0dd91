package fairlead.server.routes;

import fairlead.api.people.AuditBody;
import fairlead.api.people.AuditList;
import fairlead.journal.AuditLine;
import fairlead.journal.AuditQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Who did what, for admins. */
final class AuditRoutes {
    private static final int LINES_MAX = 10_000;
    private static final int LINES = 100;

    private final Journal journal;

    AuditRoutes(Journal journal) {
        this.journal = journal;
    }

    void list(Call call) throws JournalException {
        call.onlyAdmin("see the audit");
        var query =
                new AuditQuery(
                        call.parameter("who"),
                        call.parameter("action"),
                        call.parameter("subject"),
                        time(call, "from"),
                        time(call, "until"),
                        (int) call.number("limit", 1, LINES_MAX).orElse(LINES));
        call.send(
                200,
                new AuditList(journal.audited(query).stream().map(AuditRoutes::body).toList()));
    }

    private static AuditBody body(AuditLine line) {
        return new AuditBody(
                line.at().toString(),
                line.who(),
                line.from(),
                line.action(),
                line.subject(),
                line.outcome());
    }

    private static Optional<Instant> time(Call call, String name) {
        try {
            return call.parameter(name).map(Instant::parse);
        } catch (DateTimeParseException _) {
            throw Problem.invalid(name, name + ": must be a time such as 2026-11-18T04:00:00Z");
        }
    }
}
