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

/** A journal that leaves everything to another one; subclasses change what they are about. */
public abstract class ForwardingJournal implements Journal {
    private final Journal real;

    protected ForwardingJournal(Journal real) {
        this.real = real;
    }

    @Override
    public void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
        real.commit(facts, changed);
    }

    @Override
    public void delete(Collection<JobId> jobs) throws JournalException {
        real.delete(jobs);
    }

    @Override
    public List<Job> unfinished() throws JournalException {
        return real.unfinished();
    }

    @Override
    public Optional<Job> find(JobId job) throws JournalException {
        return real.find(job);
    }

    @Override
    public List<JobId> endingWith(String suffix, int max) throws JournalException {
        return real.endingWith(suffix, max);
    }

    @Override
    public List<JobId> named(String name, int max) throws JournalException {
        return real.named(name, max);
    }

    @Override
    public List<Job> finished(FinishedQuery query) throws JournalException {
        return real.finished(query);
    }

    @Override
    public List<JobId> madeBy(String request) throws JournalException {
        return real.madeBy(request);
    }

    @Override
    public Optional<JobId> holderOf(String uniqueKey) throws JournalException {
        return real.holderOf(uniqueKey);
    }

    @Override
    public List<Fact> history(JobId job) throws JournalException {
        return real.history(job);
    }

    @Override
    public List<JobId> finishedBefore(Instant time, int max) throws JournalException {
        return real.finishedBefore(time, max);
    }

    @Override
    public Map<String, Long> arrayCounts(String array) throws JournalException {
        return real.arrayCounts(array);
    }

    @Override
    public Map<String, Long> finishedCounts() throws JournalException {
        return real.finishedCounts();
    }

    @Override
    public Predicted predicted() throws JournalException {
        return real.predicted();
    }

    @Override
    public void keep(Project project) throws JournalException {
        real.keep(project);
    }

    @Override
    public void deleteProject(String name) throws JournalException {
        real.deleteProject(name);
    }

    @Override
    public List<Project> projects() throws JournalException {
        return real.projects();
    }

    @Override
    public void keep(Person person) throws JournalException {
        real.keep(person);
    }

    @Override
    public void deletePerson(String name) throws JournalException {
        real.deletePerson(name);
    }

    @Override
    public List<Person> people() throws JournalException {
        return real.people();
    }

    @Override
    public void keep(JobId job, Collection<MetricSeries> series) throws JournalException {
        real.keep(job, series);
    }

    @Override
    public List<MetricSeries> metrics(JobId job) throws JournalException {
        return real.metrics(job);
    }

    @Override
    public void keep(Document document) throws JournalException {
        real.keep(document);
    }

    @Override
    public void deleteDocument(String kind, String name) throws JournalException {
        real.deleteDocument(kind, name);
    }

    @Override
    public List<Document> documents(String kind) throws JournalException {
        return real.documents(kind);
    }

    @Override
    public void audit(List<AuditLine> lines) throws JournalException {
        real.audit(lines);
    }

    @Override
    public List<AuditLine> audited(AuditQuery query) throws JournalException {
        return real.audited(query);
    }

    @Override
    public void forgetAudit(Instant before) throws JournalException {
        real.forgetAudit(before);
    }

    @Override
    public void close() {
        real.close();
    }
}
