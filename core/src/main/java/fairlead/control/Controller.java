package fairlead.control;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Person;
import fairlead.job.Project;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.policy.Obstacle;
import fairlead.policy.Plan;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The one writer of job state. Only its own loop may call {@link #tick}; any thread may read what
 * the last tick published.
 *
 * <p>A tick takes in messages, plans, and writes all facts of both in one commit; only then does it
 * publish them, answer who asked, and say what is owed outside. A tick whose commit fails has
 * changed nothing: engines will be looked at again, and people are told that nothing was done.
 */
public final class Controller {
    /** How many ended jobs a starting server learns run times from. */
    private static final int LESSONS_MAX = 500;

    private final Journal journal;
    private final RandomGenerator dice;

    /** In the order of names. Only the loop adds; clusters never go. */
    private final Map<String, Desk> desks = new ConcurrentSkipListMap<>();

    /** All unfinished jobs. Written by the loop after each commit, read by anyone. */
    private final Map<JobId, Job> jobs = new ConcurrentHashMap<>();

    private final Map<JobId, Debt> debts = new LinkedHashMap<>();
    private final Map<AttemptId, Owed> strays = new LinkedHashMap<>();
    private final JobMemory memory;

    private final Alarms alarms = new Alarms(jobs);
    private final Dependents dependents = new Dependents(this);
    private final Map<String, Project> projects = new TreeMap<>();
    private volatile Rules rules;
    private volatile Map<String, Person> people = Map.of();
    private Instant latest = Instant.EPOCH;
    private Instant latestSubmit = Instant.EPOCH;

    /** A cluster with its live state, and how much of that state has been planned and published. */
    private static final class Desk {
        final Cluster cluster;
        final ClusterState state;
        long planned = -1;

        /** When time alone would change the plan. */
        Optional<Instant> wake = Optional.empty();

        /** Why it cannot be looked at now. Written by the loop, read by anyone, as the next. */
        volatile Optional<Obstacle.Unreachable> unreachable = Optional.empty();

        /** What keeps attempts from starting, as the last look showed it. */
        volatile Map<AttemptId, String> troubles = Map.of();

        long published = -1;
        volatile View view = View.empty(Instant.EPOCH);

        Desk(Cluster cluster) {
            this.cluster = cluster;
            this.state = new ClusterState(cluster.foresight());
        }
    }

    /** What a job's state owes, and whether an engine has accepted that since the last restart. */
    private static final class Debt {
        Owed owed;
        long acknowledged;

        Debt(Owed owed) {
            this.owed = owed;
        }
    }

    /** With a clock that never jumped, and no bound of memory. */
    public Controller(
            Journal journal, Collection<Cluster> clusters, Rules rules, RandomGenerator dice)
            throws JournalException {
        this(journal, clusters, rules, dice, Duration.ZERO, Map.of(), MemoryBounds.NONE);
    }

    /**
     * Takes up every unfinished job of the journal.
     *
     * @param rules what is promised; the projects come from the journal
     * @param dice for the random part of job ids
     * @param jump by how much the clock went more than real time while no controller lived
     * @param before what {@link #uncounted} said at the end of the last one
     * @param bounds beyond which new jobs are refused; those of the journal are always taken up
     */
    public Controller(
            Journal journal,
            Collection<Cluster> clusters,
            Rules rules,
            RandomGenerator dice,
            Duration jump,
            Map<AttemptId, Duration> before,
            MemoryBounds bounds)
            throws JournalException {
        this.journal = journal;
        this.memory = new JobMemory(bounds);
        this.rules = rules;
        this.dice = dice;
        for (Cluster cluster : clusters) desks.put(cluster.name(), new Desk(cluster));
        var past =
                new FinishedQuery(
                        Optional.empty(),
                        Optional.of("succeeded"),
                        Optional.empty(),
                        Optional.empty(),
                        LESSONS_MAX);
        for (Job job : journal.finished(past).reversed()) {
            if (!desks.containsKey(job.spec().cluster())) continue;
            state(job).learn(job);
            state(job).recall(job);
        }
        for (Project project : journal.projects()) projects.put(project.name(), project);
        publishRules();
        var known = new TreeMap<String, Person>();
        for (Person person : journal.people()) known.put(person.name(), person);
        people = Collections.unmodifiableMap(known);
        for (Job job : journal.unfinished()) {
            if (!desks.containsKey(job.spec().cluster())) throw withoutCluster(job);
            jobs.put(job.id(), job);
            state(job).recall(job);
            if (job.state() instanceof JobState.Running running) {
                AttemptId id = running.attempt().id();
                alarms.discount(id, before.getOrDefault(id, Duration.ZERO).plus(jump));
            }
            if (job.submitted().isAfter(latestSubmit)) latestSubmit = job.submitted();
        }
        rebuild();
    }

    private static JournalException withoutCluster(Job job) {
        return new JournalException(
                "%s is unfinished on the cluster %s, which is not configured; configure it again and abort its jobs first"
                        .formatted(job.id(), job.spec().cluster()));
    }

    /** Unfinished jobs as the last tick left them. Any thread. */
    public Collection<Job> unfinished() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    /** An unfinished job as the last tick left it. Any thread. */
    public Optional<Job> unfinished(JobId job) {
        return Optional.ofNullable(jobs.get(job));
    }

    /** Those that have not come as far as a job that waits for them asks. Any thread. */
    public List<Job> awaited(JobSpec.After after) {
        return dependents.awaited(after);
    }

    /** Of running attempts: what their time limits do not count. Any thread. */
    public Map<AttemptId, Duration> uncounted() {
        return alarms.uncounted();
    }

    /** The cluster as the last tick left it. Any thread. */
    public View view(String cluster) {
        return desks.get(cluster).view;
    }

    /** Why a cluster cannot be looked at, as long as it cannot. Any thread. */
    public Optional<Obstacle.Unreachable> unreachable(String cluster) {
        return desks.get(cluster).unreachable;
    }

    /** What keeps a job that was launched from running, as its engine reported it. Any thread. */
    public Optional<String> trouble(Job job) {
        return job.state() instanceof JobState.Starting starting
                ? Optional.ofNullable(
                        desks.get(job.spec().cluster()).troubles.get(starting.attempt().id()))
                : Optional.empty();
    }

    public List<Cluster> clusters() {
        return desks.values().stream().map(desk -> desk.cluster).toList();
    }

    /** What was promised to whom. Any thread. */
    public Rules rules() {
        return rules;
    }

    /** Everyone whom the server knows, by name. Any thread. */
    public Map<String, Person> people() {
        return people;
    }

    /** Takes in the messages at this time, or at the latest one known if the clock jumped back. */
    public Tick tick(Instant clock, List<Message> messages) throws JournalException {
        if (clock.isAfter(latest)) latest = clock;
        var draft = new Draft(this, latest);
        try {
            for (Message message : messages) draft.take(message);
            alarms.ring(draft, this, rules, latest);
            dependents.settle(draft, latest);
            for (Desk desk : desks.values()) plan(desk, draft);
            if (!draft.facts().isEmpty()) journal.commit(draft.facts(), draft.changed().values());
        } catch (JournalException failure) {
            draft.refuseAll(failure);
            rebuild();
            throw failure;
        }
        publish(draft);
        return new Tick(draft.facts(), draft.after(), owed(), wake());
    }

    private void plan(Desk desk, Draft draft) {
        if (desk.wake.filter(at -> !at.isAfter(latest)).isPresent()) {
            desk.state.touch();
            desk.wake = Optional.empty();
        }
        // What is known of a cluster out of sight may be old. The next look makes up for it.
        if (desk.unreachable.isPresent() || desk.state.version() == desk.planned) return;
        View view = desk.state.view(latest);
        Plan plan = desk.cluster.policy().plan(view);
        draft.carryOut(plan, view);
        // Only a later time: one that is already here would wake the loop for ever.
        desk.wake = plan.wake().filter(at -> at.isAfter(latest));
        // What the plan itself changed needs no new plan: it has used all that it could.
        desk.planned = desk.state.version();
    }

    private void publish(Draft draft) {
        draft.changed()
                .forEach(
                        (id, job) -> {
                            if (job.isFinished()) state(job).learn(job);
                            Job before = job.isFinished() ? jobs.remove(id) : jobs.put(id, job);
                            owe(job);
                            dependents.take(job);
                            if (before == null
                                    || before.state().getClass() != job.state().getClass())
                                alarms.set(job, rules, latest);
                        });
        draft.strays()
                .forEach(
                        (attempt, cluster) ->
                                strays.put(attempt, new Owed(cluster, new Effect.Forget(attempt))));
        for (Desk desk : desks.values()) {
            if (desk.state.version() == desk.published) continue;
            desk.view = desk.state.view(latest);
            desk.published = desk.state.version();
        }
        draft.answerAll();
    }

    /** Makes everything that is derived from the published jobs anew. */
    private void rebuild() {
        debts.clear();
        alarms.clear();
        memory.clear();
        dependents.clear();
        for (Desk desk : desks.values()) desk.state.clearJobs();
        // By id, so that a restart, a failed commit and a simulation all go on in the same way.
        for (Job job : new TreeMap<>(jobs).values()) {
            state(job).change(Optional.empty(), Optional.of(job));
            memory.add(job);
            owe(job);
            dependents.take(job);
            alarms.set(job, rules, latest);
        }
    }

    private void owe(Job job) {
        Optional<Effect> due = JobMachine.due(job);
        if (due.isEmpty()) {
            debts.remove(job.id());
            return;
        }
        var owed = new Owed(job.spec().cluster(), due.get());
        Debt debt = debts.get(job.id());
        if (debt != null && sameCall(debt.owed.effect(), owed.effect())) debt.owed = owed;
        else debts.put(job.id(), new Debt(owed));
    }

    private static boolean sameCall(Effect one, Effect other) {
        return one.getClass() == other.getClass() && one.attempt().equals(other.attempt());
    }

    private Collection<Owed> owed() {
        var all = new ArrayList<Owed>(debts.size() + strays.size());
        debts.values().forEach(debt -> all.add(debt.owed));
        all.addAll(strays.values());
        return all;
    }

    private Optional<Instant> wake() {
        return Stream.concat(
                        alarms.next().stream(),
                        desks.values().stream().flatMap(desk -> desk.wake.stream()))
                .min(Instant::compareTo);
    }

    private void publishRules() {
        rules = rules.with(projects);
        for (Desk desk : desks.values()) desk.state.rules(rules);
    }

    // What a draft may see and do before its commit.

    /** Durable by itself: whatever becomes of the tick, the project is as it was set. */
    void set(Project project) throws JournalException {
        journal.keep(project);
        projects.put(project.name(), project);
        publishRules();
    }

    void deleteProject(String name) throws JournalException {
        journal.deleteProject(name);
        projects.remove(name);
        publishRules();
    }

    void set(Person person) throws JournalException {
        journal.keep(person);
        var changed = new TreeMap<>(people);
        changed.put(person.name(), person);
        people = Collections.unmodifiableMap(changed);
    }

    void deletePerson(String name) throws JournalException {
        journal.deletePerson(name);
        var changed = new TreeMap<>(people);
        changed.remove(name);
        people = Collections.unmodifiableMap(changed);
    }

    /** Soft state: whoever opened the cluster's engine adds it again after a restart. */
    void add(Cluster cluster) {
        var desk = new Desk(cluster);
        desk.state.rules(rules);
        desks.putIfAbsent(cluster.name(), desk);
    }

    Journal journal() {
        return journal;
    }

    ClusterState state(Job job) {
        return desks.get(job.spec().cluster()).state;
    }

    ClusterState state(String cluster) {
        return desks.get(cluster).state;
    }

    boolean isKnownCluster(String cluster) {
        return desks.containsKey(cluster);
    }

    JobMemory memory() {
        return memory;
    }

    int unfinishedCount() {
        return jobs.size();
    }

    int roll() {
        return dice.nextInt();
    }

    /** Later than every submit before it, so that the jobs of one request keep their order. */
    Instant nextSubmit() {
        Instant least = latestSubmit.plusNanos(1_000);
        latestSubmit = latest.isAfter(least) ? latest : least;
        return latestSubmit;
    }

    /** Soft state, true whatever becomes of the tick. */
    void acknowledge(Message.Acknowledged message) {
        Effect effect = message.effect();
        if (effect instanceof Effect.Forget) {
            strays.remove(effect.attempt());
            return;
        }
        Debt debt = debts.get(effect.attempt().job());
        if (debt != null && sameCall(debt.owed.effect(), effect))
            debt.acknowledged = message.count();
    }

    /** Soft state, as is what a look shows of attempts that do not start. */
    void lose(Message.Unseen message) {
        desks.get(message.cluster()).unreachable =
                Optional.of(new Obstacle.Unreachable(message.cluster(), message.reason()));
    }

    void see(Message.Observed message) {
        Desk desk = desks.get(message.cluster());
        desk.unreachable = Optional.empty();
        var troubles = new HashMap<AttemptId, String>();
        for (Observation each : message.seen()) {
            if (!each.running())
                each.trouble().ifPresent(words -> troubles.put(each.attempt(), words));
        }
        desk.troubles = troubles;
    }

    /**
     * Whether a look at the engine that began after so many acknowledgements, and does not show
     * this attempt, proves that it is gone. While a call about it is still under way nothing is
     * proven.
     */
    boolean isGone(Job job, JobState.Active state, long begun) {
        if (state instanceof JobState.Running) return true;
        Debt debt = debts.get(job.id());
        return debt != null
                && debt.acknowledged > 0
                && debt.acknowledged <= begun
                && JobMachine.due(job).filter(due -> sameCall(due, debt.owed.effect())).isPresent();
    }

    boolean isStray(AttemptId attempt) {
        return strays.containsKey(attempt);
    }
}
