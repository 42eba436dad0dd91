package fairlead.journal;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Person;
import fairlead.job.Project;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where facts are kept. One thread commits; any thread may read. Reads see every commit that has
 * returned.
 */
public interface Journal extends AutoCloseable {
    /**
     * Keeps these facts and the jobs as they stand after them, all or nothing. When this returns, a
     * power cut loses nothing of it.
     *
     * @param changed every job that a fact is about, new ones included
     */
    void commit(List<Fact> facts, Collection<Job> changed) throws JournalException;

    /**
     * Removes finished jobs and their facts for good. Unknown ones are fine; unfinished ones stay.
     */
    void delete(Collection<JobId> jobs) throws JournalException;

    /** All jobs that are not finished, oldest first: what a starting server takes up. */
    List<Job> unfinished() throws JournalException;

    Optional<Job> find(JobId job) throws JournalException;

    /** Ids that end with this text, newest first. */
    List<JobId> endingWith(String suffix, int max) throws JournalException;

    /** Ids of jobs with exactly this name, newest first. */
    List<JobId> named(String name, int max) throws JournalException;

    /** Finished jobs, newest submitted first. */
    List<Job> finished(FinishedQuery query) throws JournalException;

    /**
     * The jobs that this request has made, in the order of the request; empty for an unknown one.
     */
    List<JobId> madeBy(String request) throws JournalException;

    /**
     * The job whose {@link fairlead.job.JobSpec#uniqueKey} this is, finished or not; empty where
     * none that is kept has it.
     */
    Optional<JobId> holderOf(String uniqueKey) throws JournalException;

    /** What happened to a job, oldest first. */
    List<Fact> history(JobId job) throws JournalException;

    /** Finished jobs that ended before this, oldest first. */
    List<JobId> finishedBefore(Instant time, int max) throws JournalException;

    /** How many jobs of an array are kept, by the word of their state; an unknown one has none. */
    Map<String, Long> arrayCounts(String array) throws JournalException;

    /** How many finished jobs are kept, by outcome word. */
    Map<String, Long> finishedCounts() throws JournalException;

    /**
     * How often jobs that had to wait started when they were told that they would.
     *
     * @param well how many fell into the band
     */
    record Predicted(long well, long badly) {}

    /** Of all jobs that are kept and have started. */
    Predicted predicted() throws JournalException;

    /** Keeps a project as it is now, durable when this returns. The committing thread only. */
    void keep(Project project) throws JournalException;

    /**
     * Forgets a project, durable when this returns; an unknown one is fine. The committing thread
     * only.
     */
    void deleteProject(String name) throws JournalException;

    /** By name. */
    List<Project> projects() throws JournalException;

    /** Keeps a person as they are now, durable when this returns. The committing thread only. */
    void keep(Person person) throws JournalException;

    /**
     * Forgets a person, durable when this returns; an unknown one is fine. The committing thread
     * only.
     */
    void deletePerson(String name) throws JournalException;

    /** By name. */
    List<Person> people() throws JournalException;

    /**
     * Keeps these series of a job as they are now, each in the place of the one of its name. Any
     * thread may call it, and waits for a commit that is under way. Those of a job that is not kept
     * are dropped; with a job that is deleted its series go.
     */
    void keep(JobId job, Collection<MetricSeries> series) throws JournalException;

    /** What a job's script has reported, by name. */
    List<MetricSeries> metrics(JobId job) throws JournalException;

    /**
     * Keeps a document in the place of the one of its kind and name, durable when this returns. Any
     * thread may call it, and waits for a commit that is under way.
     */
    void keep(Document document) throws JournalException;

    /** Forgets a document, durable when this returns; an unknown one is fine. Any thread. */
    void deleteDocument(String kind, String name) throws JournalException;

    /** All of a kind, by name. */
    List<Document> documents(String kind) throws JournalException;

    /**
     * Adds lines to the audit, all or none, durable when this returns. Nothing changes a line that
     * is there. Any thread may call it, and waits for a commit that is under way.
     */
    void audit(List<AuditLine> lines) throws JournalException;

    /** Newest first; of one moment, the one that was added last. */
    List<AuditLine> audited(AuditQuery query) throws JournalException;

    /** Removes the lines before this moment for good. Any thread. */
    void forgetAudit(Instant before) throws JournalException;

    @Override
    void close();
}
