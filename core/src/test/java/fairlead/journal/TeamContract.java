package fairlead.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What every journal does with documents and with the audit. */
abstract class TeamContract extends MetricsContract {
    private static final Instant NOON = JournalFixtures.NOON;

    @Test
    void aDocumentIsAsItWasLastKept() throws JournalException {
        var laptop = new Document("token", "bob/laptop", "a text\nof two lines");
        var desk = new Document("token", "bob/desk", "{\"scope\": \"read\"}");
        var other = new Document("secret", "bob/laptop", "");
        assertEquals(List.of(), journal.documents("token"));
        for (Document each : List.of(laptop, desk, other)) journal.keep(each);
        assertEquals(List.of(desk, laptop), journal.documents("token"));
        var changed = new Document("token", "bob/laptop", "another");
        journal.keep(changed);
        assertEquals(List.of(desk, changed), journal.documents("token"));
        journal.deleteDocument("token", "bob/laptop");
        journal.deleteDocument("token", "nobody's");
        assertEquals(List.of(desk), journal.documents("token"));
        assertEquals(List.of(other), journal.documents("secret"));
    }

    @Test
    void theAuditIsReadNewestFirstByWhoWhatAndWhen() throws JournalException {
        AuditLine submit = line(0, "ann", "submit", "a_1_00000001", "done");
        AuditLine abort = line(1, "bob", "abort", "a_1_00000001", "forbidden");
        AuditLine again = line(1, "ann", "abort", "a_1_00000001", "done");
        AuditLine login = line(2, "", "login", "eve's", "unauthorized");
        journal.audit(List.of(submit, abort, again));
        journal.audit(List.of());
        journal.audit(List.of(login));
        assertEquals(List.of(login, again, abort, submit), journal.audited(AuditQuery.all(10)));
        assertEquals(List.of(login, again), journal.audited(AuditQuery.all(2)));
        assertEquals(List.of(again, submit), journal.audited(query("ann", null, null)));
        assertEquals(List.of(again, abort), journal.audited(query(null, "abort", null)));
        assertEquals(List.of(login), journal.audited(query("", null, "eve's")));
        var second =
                new AuditQuery(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(NOON.plusSeconds(1)),
                        Optional.of(NOON.plusSeconds(2)),
                        10);
        assertEquals(List.of(again, abort), journal.audited(second));
        journal.forgetAudit(NOON.plusSeconds(1));
        assertEquals(List.of(login, again, abort), journal.audited(AuditQuery.all(10)));
    }

    private static AuditLine line(
            int second, String who, String action, String subject, String outcome) {
        Instant at = NOON.plusSeconds(second);
        return new AuditLine(at, who, "127.0.0.1", action, subject, outcome);
    }

    private static AuditQuery query(String who, String action, String subject) {
        return new AuditQuery(
                Optional.ofNullable(who),
                Optional.ofNullable(action),
                Optional.ofNullable(subject),
                Optional.empty(),
                Optional.empty(),
                10);
    }
}
