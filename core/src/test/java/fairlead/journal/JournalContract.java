package fairlead.journal;

import static fairlead.journal.JournalFixtures.NOON;
import static fairlead.journal.JournalFixtures.fromElsewhere;
import static fairlead.journal.JournalFixtures.job;
import static fairlead.journal.JournalFixtures.withPod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Person;
import fairlead.job.Prediction;
import fairlead.job.Project;
import fairlead.journal.JournalFixtures.Life;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/** What every journal promises. A journal's own test extends this and opens one. */
public abstract class JournalContract extends TeamContract {
    private static final FinishedQuery ALL = query(Optional.empty(), 1_000);

    /**
     * Opens a journal; a second call within one test opens the same one again, if it is durable.
     */
    protected abstract Journal open() throws JournalException;

    /** Whether what was committed is there again after closing and opening. */
    protected abstract boolean isDurable();

    @BeforeEach
    void openJournal() throws JournalException {
        journal = open();
    }

    @AfterEach
    void closeJournal() {
        journal.close();
    }

    @Test
    void aNewJournalIsEmpty() throws JournalException {
        Job unknown = job(1);
        assertEquals(List.of(), journal.unfinished());
        assertEquals(Optional.empty(), journal.find(unknown.id()));
        assertEquals(List.of(), journal.endingWith("1", 10));
        assertEquals(List.of(), journal.finished(ALL));
        assertEquals(List.of(), journal.madeBy("r1"));
        assertEquals(List.of(), journal.history(unknown.id()));
        assertEquals(List.of(), journal.finishedBefore(Instant.parse("2100-01-01T00:00:00Z"), 10));
        assertEquals(Map.of(), journal.finishedCounts());
    }

    @Test
    void aCommittedJobIsFoundAsItWas() throws JournalException {
        var array = new Job.ArrayPlace("sweep_1_00000001", 3);
        Life life = keep(Life.of(job(1, "ann", Optional.of("r1"), Optional.of(array))));
        assertEquals(Optional.of(life.job()), journal.find(life.job().id()));
        assertEquals(Optional.of(life.job()), journal.find(life.job().id()), "a repeated read");
        assertEquals(List.of(life.job()), journal.unfinished());
    }

    @Test
    void everyStateOfALifeIsFoundAsItWas() throws JournalException {
        Life life = keep(Life.of(job(1)));
        life = keepMore(life, life.started());
        assertEquals(Optional.of(life.job()), journal.find(life.job().id()));
        life = keepMore(life, life.ended(3, NOON.plusSeconds(60)));
        assertEquals("queued", life.job().state().word());
        assertEquals(Optional.of(life.job()), journal.find(life.job().id()));
        life = keepMore(life, life.started().cancelled(NOON.plusSeconds(70)));
        assertEquals("stopping", life.job().state().word());
        assertEquals(Optional.of(life.job()), journal.find(life.job().id()));
        life = keepMore(life, life.ended(143, NOON.plusSeconds(71)));
        assertEquals("cancelled", life.job().state().word());
        assertEquals(Optional.of(life.job()), journal.find(life.job().id()));
        assertEquals(life.facts(), journal.history(life.job().id()));
    }

    @Test
    void historyIsInTheOrderOfTheFactsAlsoWhenTheClockJumpsBack() throws JournalException {
        Life life = Life.of(job(1)).started().ended(3, NOON.minusSeconds(3_600)).started();
        keep(life);
        Life other = keep(Life.of(job(2)));
        assertEquals(life.facts(), journal.history(life.job().id()));
        assertEquals(other.facts(), journal.history(other.job().id()));
    }

    @Test
    void aCommitIsKeptWholeOrNotAtAll() throws JournalException {
        Life known = keep(Life.of(job(1)));
        Life next = known.started();
        Life fresh = Life.of(job(2));
        var facts = new ArrayList<>(next.facts().subList(1, next.facts().size()));
        facts.addAll(fresh.facts());
        facts.add(new Fact(job(3).id(), new Event.Submitted(NOON)));
        assertThrows(
                IllegalArgumentException.class,
                () -> journal.commit(facts, List.of(next.job(), fresh.job())),
                "the last fact is about a job that nobody knows");
        assertEquals(Optional.of(known.job()), journal.find(known.job().id()));
        assertEquals(known.facts(), journal.history(known.job().id()));
        assertEquals(Optional.empty(), journal.find(fresh.job().id()));
        assertEquals(List.of(known.job()), journal.unfinished());

        keepMore(known, next);
        keep(fresh);
        assertEquals(List.of(next.job(), fresh.job()), journal.unfinished(), "it works again");
    }

    @Test
    void anEmptyCommitIsFine() throws JournalException {
        journal.commit(List.of(), List.of());
        assertEquals(List.of(), journal.unfinished());
    }

    @Test
    void unfinishedJobsComeOldestFirst() throws JournalException {
        Life first = keep(Life.of(job(1)));
        keep(over(2));
        Life third = keep(Life.of(job(3)));
        Life second = keepMore(first, first.started());
        assertEquals(List.of(second.job(), third.job()), journal.unfinished());
    }

    @Test
    void jobsSubmittedTogetherKeepTheirOrder() throws JournalException {
        var lives =
                List.of(7, 3, 9, 1).stream()
                        .map(n -> Life.of(job(n, "ann", Optional.of("r1"), Optional.empty())))
                        .toList();
        keepAll(lives);
        var jobs = lives.stream().map(Life::job).toList();
        assertEquals(jobs, journal.unfinished());
        assertEquals(jobs.stream().map(Job::id).toList(), journal.madeBy("r1"));
        assertEquals(List.of(), journal.madeBy("r"), "only the whole name counts");
    }

    @Test
    void aRequestIsRememberedWhenItsJobsHaveEnded() throws JournalException {
        Life life = keep(Life.of(job(1, "ann", Optional.of("r1"), Optional.empty())));
        keepMore(life, life.cancelled(NOON));
        assertEquals(List.of(life.job().id()), journal.madeBy("r1"));
    }

    @Test
    void aPodsNameIsItsJobsUntilThatIsDeleted() throws JournalException {
        Life life = keep(Life.of(withPod(1, "vision", "train-0-0")));
        JobId id = life.job().id();
        keep(Life.of(job(2)));
        assertEquals(Optional.of(id), journal.holderOf("pod:vision/train-0-0"));
        assertEquals(Optional.empty(), journal.holderOf("pod:vision/train-0"));
        assertEquals(Optional.empty(), journal.holderOf("pod:default/train-0-0"));
        keepMore(life, life.cancelled(NOON));
        assertEquals(Optional.of(id), journal.holderOf("pod:vision/train-0-0"), "it is kept");
        journal.delete(List.of(id));
        assertEquals(Optional.empty(), journal.holderOf("pod:vision/train-0-0"));
    }

    @Test
    void anOriginAndTheTriesOfItsJobAreKept() throws JournalException {
        Life life = keep(Life.of(fromElsewhere(1, "ann~mnist")));
        JobId id = life.job().id();
        assertEquals(Optional.of(id), journal.holderOf("openpai:ann~mnist"));
        assertEquals(Optional.empty(), journal.holderOf("ann~mnist"));
        Life again = keepMore(life, life.started().ended(205, NOON));
        assertEquals(1, again.job().tries().sum());
        assertEquals(Optional.of(again.job()), journal.find(id));
    }

    @Test
    void jobsAreFoundByTheirWholeNameNewestFirst() throws JournalException {
        var ids = new ArrayList<JobId>();
        for (String name : List.of("train", "train_2", "2", "train", "train_2_7")) {
            Instant at = NOON.plusSeconds(ids.size());
            JobId id = JobId.of(name, at, ids.size());
            Job named =
                    Job.submitted(id, job(1).spec(), "ann", at, Optional.empty(), Optional.empty());
            ids.add(keep(Life.of(named)).job().id());
        }
        assertEquals(List.of(ids.get(3), ids.get(0)), journal.named("train", 10));
        assertEquals(List.of(ids.get(3)), journal.named("train", 1));
        assertEquals(List.of(ids.get(1)), journal.named("train_2", 10));
        assertEquals(List.of(ids.get(2)), journal.named("2", 10));
        assertEquals(List.of(ids.get(4)), journal.named("train_2_7", 10));
        for (String other : List.of("", "rain", "trai", "TRAIN", "_2", "%", "*", "train_", "é"))
            assertEquals(List.of(), journal.named(other, 10), other);
    }

    @Test
    void idsAreFoundByTheirEndNewestFirst() throws JournalException {
        var ids = new ArrayList<JobId>();
        for (int n : List.of(0x1a, 0x2a, 0x3a, 0x3b)) ids.add(keep(over(n)).job().id());
        assertEquals(List.of(ids.get(2), ids.get(1), ids.get(0)), journal.endingWith("a", 10));
        assertEquals(List.of(ids.get(2), ids.get(1)), journal.endingWith("a", 2));
        assertEquals(List.of(ids.get(3)), journal.endingWith("3b", 10));
        assertEquals(List.of(ids.get(0)), journal.endingWith(ids.get(0).text(), 10));
        assertEquals(List.of(), journal.endingWith("x" + ids.get(0).text(), 10));
        assertEquals(ids.reversed(), journal.endingWith("", 10), "every id ends with nothing");
        for (String odd : List.of("%", "_", "A", "*", "\0", "'", "\uffff", "é")) {
            assertEquals(List.of(), journal.endingWith("0000003" + odd, 10), odd);
        }
    }

    @Test
    void finishedJobsComeInPagesNewestFirst() throws JournalException {
        var jobs = new ArrayList<Job>();
        for (int n = 0; n < 25; n++) jobs.add(keep(over(n)).job());
        keep(Life.of(job(100)));
        var seen = new ArrayList<Job>();
        Optional<JobId> before = Optional.empty();
        for (int page = 0; page < 3; page++) {
            List<Job> got = journal.finished(query(before, 10));
            seen.addAll(got);
            before = Optional.of(got.getLast().id());
        }
        assertEquals(jobs.reversed(), seen);
        assertEquals(List.of(), journal.finished(query(before, 10)));
    }

    @Test
    void pagingMayStartAtAnUnfinishedJobButNotAtAnUnknownOne() throws JournalException {
        Job old = keep(over(1)).job();
        Job waiting = keep(Life.of(job(2))).job();
        keep(over(3));
        assertEquals(List.of(old), journal.finished(query(Optional.of(waiting.id()), 10)));
        assertEquals(List.of(), journal.finished(query(Optional.of(job(9).id()), 10)));
    }

    @Test
    void finishedJobsAreChosenByOwnerStateAndArray() throws JournalException {
        var array = Optional.of(new Job.ArrayPlace("sweep_1_00000001", 0));
        Job ann = ended(Life.of(job(1, "ann", Optional.empty(), array)), 0);
        Job bob = ended(Life.of(job(2, "bob", Optional.empty(), Optional.empty())), 0);
        Job cancelled = keep(over(3)).job();
        keep(Life.of(job(4, "bob", Optional.empty(), array)));

        assertEquals(List.of(cancelled, bob, ann), journal.finished(ALL));
        assertEquals(List.of(bob), chosen("bob", null, null));
        assertEquals(List.of(bob, ann), chosen(null, "succeeded", null));
        assertEquals(List.of(cancelled), chosen("ann", "cancelled", null));
        assertEquals(List.of(ann), chosen(null, null, "sweep_1_00000001"));
        assertEquals(List.of(), chosen("bob", null, "sweep_1_00000001"));
        assertEquals(List.of(), chosen(null, "queued", null));
    }

    @Test
    void finishedJobsAreCountedByOutcome() throws JournalException {
        ended(Life.of(job(1)), 0);
        ended(Life.of(job(2)), 0);
        Job cancelled = keep(over(3)).job();
        keep(Life.of(job(4)));
        assertEquals(Map.of("succeeded", 2L, "cancelled", 1L), journal.finishedCounts());
        journal.delete(List.of(cancelled.id()));
        assertEquals(Map.of("succeeded", 2L), journal.finishedCounts());
    }

    @Test
    void jobsThatEndedLongAgoAreFoundOldestFirst() throws JournalException {
        Life late = Life.of(job(1)).cancelled(NOON.plusSeconds(30));
        Life early = Life.of(job(2)).cancelled(NOON.plusSeconds(10));
        Life middle = Life.of(job(3)).cancelled(NOON.plusSeconds(20));
        keepAll(List.of(late, early, middle, Life.of(job(4))));
        JobId a = early.job().id();
        JobId b = middle.job().id();
        assertEquals(List.of(a, b), journal.finishedBefore(NOON.plusSeconds(30), 10));
        assertEquals(List.of(a), journal.finishedBefore(NOON.plusSeconds(30), 1));
        assertEquals(List.of(), journal.finishedBefore(NOON.plusSeconds(10), 10));
    }

    @Test
    void aDeletedJobIsGoneWithItsFacts() throws JournalException {
        Life gone = keep(Life.of(job(1, "ann", Optional.of("r1"), Optional.empty())));
        gone = keepMore(gone, gone.cancelled(NOON));
        Life stays = keep(over(2));
        JobId id = gone.job().id();
        journal.delete(List.of(id, job(9).id()));
        assertEquals(Optional.empty(), journal.find(id));
        assertEquals(List.of(), journal.history(id));
        assertEquals(List.of(), journal.madeBy("r1"));
        assertEquals(List.of(), journal.endingWith(id.text(), 10));
        assertEquals(List.of(stays.job()), journal.finished(ALL));
        assertEquals(stays.facts(), journal.history(stays.job().id()));
        journal.delete(List.of(id));
    }

    @Test
    void anUnfinishedJobIsNeverDeleted() throws JournalException {
        Life life = keep(Life.of(job(1)));
        journal.delete(List.of(life.job().id()));
        assertEquals(List.of(life.job()), journal.unfinished());
        assertEquals(life.facts(), journal.history(life.job().id()));
    }

    @Test
    void everythingIsThereAfterReopening() throws JournalException {
        Life waiting = keep(Life.of(job(1, "ann", Optional.of("r1"), Optional.empty())));
        Life running = keep(Life.of(job(2)));
        running = keepMore(running, running.started());
        Life over = keep(over(3));
        if (isDurable()) {
            journal.close();
            journal = open();
        }
        assertEquals(List.of(waiting.job(), running.job()), journal.unfinished());
        assertEquals(List.of(over.job()), journal.finished(ALL));
        assertEquals(running.facts(), journal.history(running.job().id()));
        assertEquals(List.of(waiting.job().id()), journal.madeBy("r1"));
        assertEquals(Map.of("cancelled", 1L), journal.finishedCounts());
        keepMore(running, running.ended(0, NOON.plusSeconds(99)));
        assertEquals(List.of(waiting.job()), journal.unfinished());
    }

    @Test
    void readersOnOtherThreadsSeeEveryCommitThatHasReturned() throws Exception {
        var waiting = new ArrayList<Job>();
        for (int n = 1; n <= 20; n++) {
            waiting.add(keep(Life.of(job(n))).job());
            var seen = new ArrayList<List<Job>>();
            var readers = new ArrayList<Thread>();
            for (int r = 0; r < 6; r++) readers.add(Thread.ofVirtual().start(() -> look(seen)));
            for (Thread reader : readers) reader.join();
            assertEquals(IntStream.range(0, 6).mapToObj(_ -> waiting).toList(), seen);
        }
    }

    private void look(List<List<Job>> seen) {
        try {
            List<Job> jobs = journal.unfinished();
            synchronized (seen) {
                seen.add(jobs);
            }
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatAJobWasToldStaysAndIsJudgedByItsStart() throws Exception {
        assertEquals(new Journal.Predicted(0, 0), journal.predicted());
        // It starts 15 ms after its submit.
        keepPredicted(1, Duration.ofSeconds(1));
        keepPredicted(2, Duration.ofSeconds(1));
        keepPredicted(3, Duration.ofMillis(1));
        Life waiting = Life.of(job(4)).then(told(job(4), Duration.ofSeconds(9)));
        keep(waiting);
        assertEquals(waiting.job(), journal.find(waiting.job().id()).orElseThrow());
        assertEquals(waiting.facts(), journal.history(waiting.job().id()));
        assertEquals(new Journal.Predicted(2, 1), journal.predicted());
    }

    private void keepPredicted(int number, Duration latest) throws JournalException {
        Life started = Life.of(job(number)).then(told(job(number), latest)).started();
        keep(started);
        assertEquals(started.job(), journal.find(started.job().id()).orElseThrow());
    }

    private static Event told(Job job, Duration latest) {
        Instant at = job.submitted();
        return new Event.StartPredicted(
                at, Prediction.of(at, at.plus(latest).minusNanos(1), at.plus(latest)));
    }

    @Test
    void aProjectIsAsItWasLastSet() throws Exception {
        assertEquals(List.of(), journal.projects());
        var vision = Project.named("vision");
        var audio =
                new Project(
                        "audio",
                        OptionalInt.of(4),
                        Set.of("bob", "ann"),
                        OptionalInt.of(0),
                        Duration.ofMinutes(90));
        journal.keep(vision);
        journal.keep(audio);
        assertEquals(List.of(audio, vision), journal.projects());
        var changed =
                new Project(
                        "vision",
                        OptionalInt.of(1),
                        Set.of("eve"),
                        OptionalInt.empty(),
                        Project.INTERACTIVE_LIMIT);
        journal.keep(changed);
        assertEquals(List.of(audio, changed), journal.projects());
        journal.keep(changed.withStopped(true));
        assertEquals(List.of(audio, changed.withStopped(true)), journal.projects());
    }

    @Test
    void aPersonIsAsTheyWereLastSet() throws Exception {
        assertEquals(List.of(), journal.people());
        var eve = new Person("eve", "ab".repeat(32), false, "default");
        var ann = new Person("ann", "cd".repeat(32), true, "vision");
        journal.keep(eve);
        journal.keep(ann);
        assertEquals(List.of(ann, eve), journal.people());
        var changed = new Person("eve", "ef".repeat(32), false, "audio");
        journal.keep(changed);
        assertEquals(List.of(ann, changed), journal.people());
        var withPassword = changed.withPassword("$argon2id$of a secret").withGitHubPat(true);
        journal.keep(withPassword);
        assertEquals(List.of(ann, withPassword), journal.people());
    }

    @Test
    void whoIsForgottenIsGoneAndMayComeBack() throws Exception {
        var eve = new Person("eve", "ab".repeat(32), false, "vision");
        var ann = new Person("ann", "cd".repeat(32), true, "default");
        journal.keep(eve);
        journal.keep(ann);
        journal.keep(Project.named("eve"));
        journal.deletePerson("eve");
        journal.deletePerson("nobody");
        assertEquals(List.of(ann), journal.people());
        assertEquals(List.of(Project.named("eve")), journal.projects(), "another thing's name");
        journal.deleteProject("eve");
        journal.deleteProject("nothing");
        assertEquals(List.of(), journal.projects());
        if (isDurable()) {
            journal.close();
            journal = open();
            assertEquals(List.of(ann), journal.people());
            assertEquals(List.of(), journal.projects());
        }
        journal.keep(eve);
        assertEquals(List.of(ann, eve), journal.people());
    }

    @Test
    void aChangedPriorityStaysWithTheJob() throws Exception {
        Life submitted = keep(Life.of(job(1)));
        Life changed = submitted.then(new Event.PriorityChanged(NOON.plusSeconds(2), -7, "ann"));
        keepMore(submitted, changed);
        assertEquals(-7, journal.find(changed.job().id()).orElseThrow().priority());
        assertEquals(changed.job(), journal.unfinished().getFirst());
        assertEquals(changed.facts(), journal.history(changed.job().id()));
    }

    protected Life keep(Life life) throws JournalException {
        journal.commit(life.facts(), List.of(life.job()));
        return life;
    }

    /** Commits what has happened since. */
    protected Life keepMore(Life before, Life after) throws JournalException {
        var facts = after.facts().subList(before.facts().size(), after.facts().size());
        journal.commit(facts, List.of(after.job()));
        return after;
    }

    private void keepAll(List<Life> lives) throws JournalException {
        var facts = new ArrayList<Fact>();
        lives.forEach(life -> facts.addAll(life.facts()));
        journal.commit(facts, lives.stream().map(Life::job).toList());
    }

    private Job ended(Life life, int code) throws JournalException {
        return keep(life.started().ended(code, NOON.plusSeconds(60))).job();
    }

    private List<Job> chosen(String owner, String word, String array) throws JournalException {
        return journal.finished(
                new FinishedQuery(
                        Optional.ofNullable(owner),
                        Optional.ofNullable(word),
                        Optional.ofNullable(array),
                        Optional.empty(),
                        10));
    }

    private static Life over(int number) {
        return Life.of(job(number)).cancelled(NOON.plusSeconds(number));
    }

    private static FinishedQuery query(Optional<JobId> before, int max) {
        return FinishedQuery.all(before, max);
    }
}
