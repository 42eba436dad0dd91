package fairlead.journal;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState.Finished;
import fairlead.job.Person;
import fairlead.job.Prediction;
import fairlead.job.Project;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A journal in memory, for simulations and tests: it lasts as long as the object does. Reads look
 * at every job, so it is not for a server with a long past.
 */
public final class MemoryJournal implements Journal {
    /** In the order of submission, which is the order of their first commit. */
    private final LinkedHashMap<JobId, Job> jobs = new LinkedHashMap<>();

    private final Map<JobId, List<Fact>> histories = new LinkedHashMap<>();

    private final Map<JobId, Map<String, MetricSeries>> metrics = new LinkedHashMap<>();

    private final Map<String, Project> projects = new TreeMap<>();
    private final Map<String, Person> people = new TreeMap<>();
    private final Map<String, Map<String, Document>> documents = new TreeMap<>();
    private final List<AuditLine> audit = new ArrayList<>();

    @Override
    public synchronized void commit(List<Fact> facts, Collection<Job> changed) {
        var told = new HashSet<JobId>();
        changed.forEach(job -> told.add(job.id()));
        for (Fact fact : facts) {
            if (!jobs.containsKey(fact.job()) && !told.contains(fact.job())) {
                throw new IllegalArgumentException("a fact about an unknown job: " + fact);
            }
        }
        for (Job job : changed) jobs.put(job.id(), job);
        for (Fact fact : facts) {
            histories.computeIfAbsent(fact.job(), _ -> new ArrayList<>()).add(fact);
        }
    }

    @Override
    public synchronized void delete(Collection<JobId> unwanted) {
        for (JobId id : unwanted) {
            Job job = jobs.get(id);
            if (job == null || !job.isFinished()) continue;
            jobs.remove(id);
            histories.remove(id);
            metrics.remove(id);
        }
    }

    @Override
    public synchronized List<Job> unfinished() {
        return jobs.values().stream().filter(job -> !job.isFinished()).toList();
    }

    @Override
    public synchronized Optional<Job> find(JobId job) {
        return Optional.ofNullable(jobs.get(job));
    }

    @Override
    public synchronized List<JobId> endingWith(String suffix, int max) {
        return List.copyOf(jobs.keySet()).reversed().stream()
                .filter(id -> id.text().endsWith(suffix))
                .limit(max)
                .toList();
    }

    @Override
    public synchronized List<JobId> named(String name, int max) {
        return List.copyOf(jobs.keySet()).reversed().stream()
                .filter(id -> id.experiment().equals(name))
                .limit(max)
                .toList();
    }

    @Override
    public synchronized List<Job> finished(FinishedQuery query) {
        var older = new ArrayList<Job>();
        Set<JobId> hidden = hidden(query);
        for (Job job : jobs.values()) {
            if (query.before().filter(job.id()::equals).isPresent()) {
                return page(older, query);
            }
            if (!hidden.contains(job.id())) older.add(job);
        }
        return query.before().isPresent() ? List.of() : page(older, query);
    }

    private static List<Job> page(List<Job> oldestFirst, FinishedQuery query) {
        return newestFirst(oldestFirst, query).limit(query.max()).toList();
    }

    private static Stream<Job> newestFirst(Collection<Job> oldestFirst, FinishedQuery query) {
        return List.copyOf(oldestFirst).reversed().stream()
                .filter(Job::isFinished)
                .filter(job -> query.owner().map(job.owner()::equals).orElse(true))
                .filter(job -> query.word().map(job.state().word()::equals).orElse(true))
                .filter(job -> query.array().map(array -> isIn(job, array)).orElse(true));
    }

    /** Those of an array that are hidden by a newer one of it. */
    private Set<JobId> hidden(FinishedQuery query) {
        Set<JobId> hidden = new HashSet<>();
        if (!query.arraysOnce()) return hidden;
        Set<String> seen = new HashSet<>();
        newestFirst(jobs.values(), query)
                .filter(job -> job.array().isPresent())
                .filter(job -> !seen.add(job.array().get().array()))
                .forEach(job -> hidden.add(job.id()));
        return hidden;
    }

    private static boolean isIn(Job job, String array) {
        return job.array().filter(place -> place.array().equals(array)).isPresent();
    }

    @Override
    public synchronized List<JobId> madeBy(String request) {
        return jobs.values().stream()
                .filter(job -> job.request().filter(request::equals).isPresent())
                .map(Job::id)
                .toList();
    }

    @Override
    public synchronized Optional<JobId> holderOf(String uniqueKey) {
        return jobs.values().stream()
                .filter(job -> job.spec().uniqueKey().filter(uniqueKey::equals).isPresent())
                .map(Job::id)
                .findFirst();
    }

    @Override
    public synchronized List<Fact> history(JobId job) {
        return List.copyOf(histories.getOrDefault(job, List.of()));
    }

    @Override
    public synchronized List<JobId> finishedBefore(Instant time, int max) {
        return jobs.values().stream()
                .filter(job -> job.state() instanceof Finished over && over.at().isBefore(time))
                .sorted(Comparator.comparing(job -> ((Finished) job.state()).at()))
                .limit(max)
                .map(Job::id)
                .toList();
    }

    @Override
    public synchronized Map<String, Long> arrayCounts(String array) {
        var counts = new TreeMap<String, Long>();
        for (Job job : jobs.values()) {
            if (isIn(job, array)) counts.merge(job.state().word(), 1L, Long::sum);
        }
        return counts;
    }

    @Override
    public synchronized Map<String, Long> finishedCounts() {
        var counts = new TreeMap<String, Long>();
        for (Job job : jobs.values()) {
            if (job.isFinished()) counts.merge(job.state().word(), 1L, Long::sum);
        }
        return counts;
    }

    @Override
    public synchronized Predicted predicted() {
        long well = 0;
        long badly = 0;
        for (Job job : jobs.values()) {
            var kept = job.prediction().flatMap(Prediction::kept);
            if (kept.isEmpty()) continue;
            if (kept.get()) well++;
            else badly++;
        }
        return new Predicted(well, badly);
    }

    @Override
    public synchronized void keep(Project project) {
        projects.put(project.name(), project);
    }

    @Override
    public synchronized void deleteProject(String name) {
        projects.remove(name);
    }

    @Override
    public synchronized List<Project> projects() {
        return List.copyOf(projects.values());
    }

    @Override
    public synchronized void keep(Person person) {
        people.put(person.name(), person);
    }

    @Override
    public synchronized void deletePerson(String name) {
        people.remove(name);
    }

    @Override
    public synchronized List<Person> people() {
        return List.copyOf(people.values());
    }

    @Override
    public synchronized void keep(JobId job, Collection<MetricSeries> series) {
        if (!jobs.containsKey(job)) return;
        var ofJob = metrics.computeIfAbsent(job, _ -> new TreeMap<>());
        for (MetricSeries each : series) ofJob.put(each.name(), each);
    }

    @Override
    public synchronized List<MetricSeries> metrics(JobId job) {
        return List.copyOf(metrics.getOrDefault(job, Map.of()).values());
    }

    @Override
    public synchronized void keep(Document document) {
        documents
                .computeIfAbsent(document.kind(), _ -> new TreeMap<>())
                .put(document.name(), document);
    }

    @Override
    public synchronized void deleteDocument(String kind, String name) {
        documents.getOrDefault(kind, new TreeMap<>()).remove(name);
    }

    @Override
    public synchronized List<Document> documents(String kind) {
        return List.copyOf(documents.getOrDefault(kind, Map.of()).values());
    }

    @Override
    public synchronized void audit(List<AuditLine> lines) {
        audit.addAll(lines);
    }

    @Override
    public synchronized List<AuditLine> audited(AuditQuery query) {
        return audit.reversed().stream()
                .sorted(Comparator.comparing(AuditLine::at).reversed())
                .filter(query::matches)
                .limit(query.max())
                .toList();
    }

    @Override
    public synchronized void forgetAudit(Instant before) {
        audit.removeIf(line -> line.at().isBefore(before));
    }

    @Override
    public void close() {}
}
