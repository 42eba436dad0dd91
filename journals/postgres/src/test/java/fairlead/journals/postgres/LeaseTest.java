package fairlead.journals.postgres;

import static fairlead.journal.JournalFixtures.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Job;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures.Life;
import fairlead.journals.sql.Lease;
import fairlead.journals.sql.Lease.Candidate;
import fairlead.journals.sql.LeasedJournal;
import fairlead.journals.sqlite.SqliteJournal;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** One server at a time writes, and none loses or doubles a commit when the database fails. */
class LeaseTest {
    private static TestPostgres postgres;
    private final AtomicInteger losses = new AtomicInteger();
    private String address;

    @BeforeAll
    static void startDatabase() throws Exception {
        postgres = TestPostgres.start();
    }

    @AfterAll
    static void stopDatabase() {
        postgres.close();
    }

    @BeforeEach
    void makeDatabase() throws Exception {
        address = postgres.newDatabase();
    }

    private Lease lease() throws JournalException {
        return new PostgresProvider().lease(address);
    }

    private Optional<LeasedJournal> take(String name) throws JournalException {
        return take(new Candidate(name, Optional.empty(), "mark"));
    }

    private Optional<LeasedJournal> take(Candidate candidate) throws JournalException {
        try (Lease lease = lease()) {
            return lease.take(candidate, losses::incrementAndGet);
        }
    }

    /** As if its span had passed without a sign of life. */
    private void endLease() throws Exception {
        sql("UPDATE lease SET until = clock_timestamp() - interval '1 second'");
    }

    private void sql(String text) throws Exception {
        try (Connection connection = new PostgresDatabase(PostgresAddress.of(address)).writer();
                var statement = connection.createStatement()) {
            statement.execute(text);
            connection.commit();
        }
    }

    private static Job keep(LeasedJournal journal, int number) throws JournalException {
        Life life = Life.of(job(number));
        journal.commit(life.facts(), List.of(life.job()));
        return life.job();
    }

    @Test
    void oneLeadsAndTheOtherKnowsWhere() throws Exception {
        try (LeasedJournal leading = take("a").orElseThrow();
                Lease other = lease()) {
            assertTrue(leading.isHeld());
            assertEquals(Optional.empty(), take("b"));
            assertEquals(new Lease.Leader(1, "a", Optional.empty()), other.leader().orElseThrow());
            leading.announce("http://a:7300");
            assertEquals(Optional.of("http://a:7300"), other.leader().orElseThrow().url());
        }
        try (Lease other = lease()) {
            assertEquals(Optional.empty(), other.leader(), "given back at the end");
            try (LeasedJournal next = take("b").orElseThrow()) {
                assertEquals(2, next.epoch());
            }
        }
    }

    @Test
    void whoeverWasTakenOverCannotWriteAnything() throws Exception {
        LeasedJournal old = take("a").orElseThrow();
        Job before = keep(old, 1);
        endLease();
        try (LeasedJournal next = take("b").orElseThrow()) {
            assertEquals(List.of(before), next.unfinished());
            var failure = assertThrows(JournalException.class, () -> keep(old, 2));
            assertTrue(failure.getMessage().contains("another server"), failure.getMessage());
            assertThrows(JournalException.class, () -> old.keep(Project.named("p")));
            assertThrows(JournalException.class, () -> old.delete(List.of(before.id())));
            assertFalse(old.isHeld());
            assertEquals(1, losses.get());
            Job after = keep(next, 3);
            assertEquals(List.of(before, after), next.unfinished());
            assertEquals(List.of(), next.projects());
            old.close();
            assertTrue(next.isHeld());
            assertEquals(
                    Optional.empty(), take("c"), "the old one has not given away the new one's");
        }
    }

    @Test
    void aLeaseThatNobodyTookIsGoodAgain() throws Exception {
        try (LeasedJournal journal = take("a").orElseThrow()) {
            endLease();
            keep(journal, 1);
            assertEquals(Optional.empty(), take("b"));
            assertEquals(0, losses.get());
        }
    }

    @Test
    void aKilledDatabaseLosesNothingAndIsFoundAgain() throws Exception {
        try (LeasedJournal journal = take("a").orElseThrow()) {
            Job first = keep(journal, 1);
            assertEquals(List.of(first), journal.unfinished());
            postgres.kill();
            assertThrows(JournalException.class, () -> keep(journal, 2));
            var failure = assertThrows(JournalException.class, journal::unfinished);
            assertTrue(failure.getMessage().contains("cannot be reached"), failure.getMessage());
            postgres.restart();
            assertEquals(List.of(first), journal.unfinished());
            Job third = keep(journal, 3);
            assertEquals(List.of(first, third), journal.unfinished());
            assertEquals(0, losses.get());
        }
    }

    @Test
    void otherHomesAndSecretsAreRefused() throws Exception {
        take(new Candidate("a", Optional.of("home-1"), "mark")).orElseThrow().close();
        var other = new Candidate("b", Optional.of("home-2"), "mark");
        var failure = assertThrows(JournalException.class, () -> take(other));
        assertTrue(failure.getMessage().contains("another home"), failure.getMessage());
        var strange = new Candidate("c", Optional.empty(), "other");
        failure = assertThrows(JournalException.class, () -> take(strange));
        assertTrue(failure.getMessage().contains("another secret"), failure.getMessage());
        take("d").orElseThrow().close();
        take(new Candidate("e", Optional.of("home-1"), "mark")).orElseThrow().close();
    }

    @Test
    void aNewerJournalIsRefusedInWords() throws Exception {
        take("a").orElseThrow().close();
        sql("UPDATE lease SET version = 99");
        var failure = assertThrows(JournalException.class, () -> take("a"));
        assertTrue(failure.getMessage().contains("newer Fairlead"), failure.getMessage());
    }

    @Test
    void addressesShowNoPassword() throws Exception {
        assertEquals(
                "postgres://ann@db.lab:5432/jobs",
                PostgresAddress.of("postgres://ann:s%40cret@db.lab/jobs").toString());
        assertEquals(
                "s@cret", PostgresAddress.of("postgres://ann:s%40cret@db.lab/jobs").password());
        for (String bad : List.of("postgres://db/jobs", "postgres://ann:secret@db", "postgres:x")) {
            var failure = assertThrows(JournalException.class, () -> PostgresAddress.of(bad));
            assertFalse(failure.getMessage().contains("secret"), failure.getMessage());
        }
    }

    @Test
    void rowsGoThereAndBackUnchanged(@TempDir Path folder) throws Exception {
        try (var first = SqliteJournal.open(folder.resolve("first.db"));
                LeasedJournal there = take("a").orElseThrow();
                var back = SqliteJournal.open(folder.resolve("back.db"))) {
            Life over = Life.of(job(1)).cancelled(job(1).submitted().plusSeconds(9));
            first.commit(over.facts(), List.of(over.job()));
            Life waits = Life.of(job(2));
            first.commit(waits.facts(), List.of(waits.job()));
            first.keep(new Person("ann", "ab".repeat(32), true, "vision"));
            first.keep(Project.named("vision"));
            first.copyInto(there);
            there.copyInto(back);
            assertEquals(first.sums(), there.sums());
            assertEquals(first.sums(), back.sums());
            assertEquals(first.unfinished(), there.unfinished());
            assertEquals(first.finishedCounts(), there.finishedCounts());
            assertEquals(over.facts(), there.history(over.job().id()));
            Job next = keep(there, 3);
            assertEquals(List.of(waits.job(), next), there.unfinished(), "numbered on");
            var failure = assertThrows(JournalException.class, () -> first.copyInto(there));
            assertTrue(failure.getMessage().contains("not empty"), failure.getMessage());
        }
    }
}
