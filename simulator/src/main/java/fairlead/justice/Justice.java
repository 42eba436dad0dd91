package fairlead.justice;

import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskPlacement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The fair rule as a judge: what is wrong with a view in which nobody is about to stop. It looks at
 * each waiting job in turn, as a person with pencil and paper would, and shares no code with the
 * policies.
 *
 * <p>It never accuses without a reason, and so leaves some doubtful cases alone: whoever stands
 * behind a job that rightly waits for the same nodes is not judged there, as its start might delay
 * that job.
 */
public final class Justice {
    private final View view;
    private final Books books;
    private final Map<String, NodeState> allNodes = new TreeMap<>();

    /** On which somebody is judged. */
    private final Map<String, NodeState> nodes;

    private Justice(View view) {
        this.view = view;
        this.books = new Books(view);
        for (NodeState node : view.nodes()) {
            if (node.node().ready()) allNodes.put(node.node().name(), node);
        }
        this.nodes = new TreeMap<>(allNodes);
    }

    /** Whether somebody has been asked to stop and has not yet: then nothing can be said. */
    public static boolean isPending(View view) {
        return view.active().stream().anyMatch(job -> job.state() instanceof JobState.Stopping);
    }

    /** Everyone who waits though the rule lets others stop for it, or though there is room. */
    public static List<Injustice> in(View view) {
        return new Justice(view).judge();
    }

    /**
     * Whom the owner of one of these would have given in its place, if that had helped as well: one
     * of lower priority, or of the same with less to lose.
     *
     * @param victims who is to stop for the job, all of them
     */
    public static Optional<Job> givenRather(View view, Job job, List<Job> victims) {
        var justice = new Justice(view);
        Place place =
                justice.line().stream()
                        .filter(each -> each.job.equals(job))
                        .findFirst()
                        .orElseThrow();
        justice.nodes.keySet().removeAll(justice.claimedBefore(place));
        for (Job victim : victims) {
            if (hasGrown(victim)) continue;
            Optional<Job> rather =
                    view.active().stream()
                            .filter(other -> !victims.contains(other))
                            .filter(other -> justice.isWaitedFor(other, job))
                            .filter(other -> isGivenBefore(other, victim, view.now()))
                            .filter(other -> justice.helps(other, victim, victims, place))
                            .findFirst();
            if (rather.isPresent()) return rather;
        }
        return Optional.empty();
    }

    /** Whether it only gives back what it did not ask for, and goes on with the rest. */
    private static boolean hasGrown(Job job) {
        return job.spec().training().filter(asked -> job.spec().gpus() > asked.gpus()).isPresent();
    }

    /** Whether it may be disturbed, now or so soon that the job need not hurry. */
    private boolean isWaitedFor(Job other, Job job) {
        Instant came = ((JobState.Queued) job.state()).since();
        return isDisturbable(other)
                || other.state() instanceof JobState.Running running
                        && !running.since().isAfter(came);
    }

    private static boolean isGivenBefore(Job one, Job other, Instant now) {
        boolean isCandidate =
                one.owner().equals(other.owner())
                        && one.spec().gpus() > 0
                        && !one.spec().interactive()
                        && one.state() instanceof JobState.Running;
        if (!isCandidate || one.priority() > other.priority()) return false;
        if (one.priority() < other.priority()) return true;
        // How long the way to the next checkpoint is, is for the policy to foresee.
        boolean isTraining =
                one.spec().training().isPresent() || other.spec().training().isPresent();
        return !isTraining && lost(one, now) < lost(other, now);
    }

    private static long lost(Job job, Instant now) {
        return job.atRisk(now).toMillis() * job.spec().milliGpus();
    }

    /**
     * Whether the job could start too, by the same right, if this one stopped instead of that, and
     * nobody else's turn would come before it then.
     */
    private boolean helps(Job one, Job other, List<Job> victims, Place place) {
        var all = new ArrayList<>(victims);
        all.remove(other);
        all.add(one);
        // Who has a right to its quota need not borrow.
        return rights(place).reversed().stream()
                .filter(right -> isEnough(victims, right, place.job, allNodes))
                .findFirst()
                .filter(right -> isEnough(all, right, place.job, nodes))
                .filter(_ -> isNextThen(place, all, nodes.keySet()))
                .isPresent();
    }

    private boolean isEnough(List<Job> stops, Right right, Job job, Map<String, NodeState> where) {
        Books now = books.copy();
        Map<String, NodeState> room = new TreeMap<>(where);
        for (Job each : stops) {
            if (!right.mayTake.test(each, now)) return false;
            now.giveBack(each);
            release(each, room);
        }
        return right.mayRun.test(now) && fits(job, room);
    }

    private Set<String> claimedBefore(Place place) {
        Set<String> claimed = new HashSet<>();
        for (Place ahead : line()) {
            if (ahead.equals(place)) break;
            boolean mayRun = !isHeldUp(ahead.job) && books.mayRun(ahead.job);
            if (mayRun) claimed.addAll(whereItCouldRun(ahead.job));
        }
        return claimed;
    }

    private List<Injustice> judge() {
        var wrongs = new ArrayList<Injustice>();
        Set<String> claimed = new HashSet<>();
        for (Place place : line()) {
            Job job = place.job;
            if (isHeldUp(job)) continue;
            Set<String> fitting = whereItCouldRun(job);
            var unclaimed = new HashSet<>(fitting);
            unclaimed.removeAll(claimed);
            Optional<List<Job>> stops =
                    isTheirsAlone(job) ? Optional.empty() : stopsFor(place, unclaimed);
            stops.ifPresent(jobs -> wrongs.add(new Injustice(job, jobs)));
            // One that may not run holds nobody back.
            if (stops.isPresent() || books.mayRun(job)) claimed.addAll(fitting);
        }
        return wrongs;
    }

    /** Whether it trains and nobody else is there: how its owner's jobs share is for their good. */
    private boolean isTheirsAlone(Job job) {
        return job.spec().training().isPresent()
                && Stream.concat(
                                view.active().stream(),
                                view.queues().stream().flatMap(queue -> queue.gpuJobs().stream()))
                        .filter(other -> other.spec().gpus() > 0)
                        .allMatch(other -> other.owner().equals(job.owner()));
    }

    /** A waiting job, and after how many thousandths of GPUs of its owner's it comes. */
    private record Place(
            Job job, long after, boolean isInsideQuota, Instant since, Instant standing) {
        static final Comparator<Place> ORDER =
                Comparator.comparing((Place place) -> !place.isInsideQuota)
                        .thenComparing(Place::after)
                        .thenComparing(Place::since)
                        .thenComparing(Place::standing)
                        .thenComparing(place -> place.job.id());
    }

    /** Who wants GPUs, in the order of the rule. */
    private List<Place> line() {
        return line(books, List.of());
    }

    /**
     * The same once these have stopped.
     *
     * @param then what is held after that
     */
    private List<Place> line(Books then, List<Job> stopped) {
        Map<String, List<Job>> owners = new TreeMap<>();
        Map<String, Instant> ended = new HashMap<>();
        for (OwnerQueue queue : view.queues()) {
            owners.put(queue.owner(), new ArrayList<>(queue.gpuJobs()));
            ended.put(queue.owner(), queue.gpuJobEnded());
        }
        // Their owners may have had nothing that waits until now.
        for (Job job : stopped) {
            owners.computeIfAbsent(job.owner(), _ -> new ArrayList<>()).add(job);
        }
        var places = new ArrayList<Place>();
        owners.forEach(
                (owner, own) -> {
                    own.sort(
                            Comparator.comparing(this::isHeldUp)
                                    .thenComparing(job -> !job.spec().interactive())
                                    .thenComparing(job -> -job.priority())
                                    .thenComparing(this::standing)
                                    .thenComparing(Job::id));
                    Instant end = ended.getOrDefault(owner, Instant.MIN);
                    long after = then.heldBy(owner);
                    for (Job job : own) {
                        Instant standing = standing(job);
                        Instant since = end.isAfter(standing) ? end : standing;
                        boolean isInside = then.isInsideQuota(job);
                        places.add(new Place(job, after, isInside, since, standing));
                        if (!isHeldUp(job)) after += job.spec().milliGpus();
                    }
                });
        places.sort(Place.ORDER);
        return places;
    }

    /** Work that a stop throws away counts as time waited. */
    private Instant standing(Job job) {
        boolean losesWork = job.state() instanceof JobState.Running && !job.stopsAtCheckpoint();
        return losesWork ? job.standing().minus(job.atRisk(view.now())) : job.standing();
    }

    /** Whether nobody else keeps the job from its start, so that it keeps nobody from theirs. */
    private boolean isHeldUp(Job job) {
        boolean isPausing =
                job.state() instanceof JobState.Queued queued
                        && queued.notBefore().isAfter(view.now());
        boolean isRefused =
                job.spec().interactive()
                        && job.spec().milliGpus() > view.rules().quota(job.spec().project());
        return isPausing || isRefused || whereItCouldRun(job).isEmpty();
    }

    /** The nodes that would hold a task of the job if they were empty; none if not all fit. */
    private Set<String> whereItCouldRun(Job job) {
        Map<String, NodeState> empty = new TreeMap<>();
        nodes.forEach((name, node) -> empty.put(name, NodeState.empty(node.node())));
        if (!fits(job, empty)) return Set.of();
        Set<String> names = new HashSet<>();
        for (Role role : job.spec().roles()) {
            empty.forEach(
                    (name, node) -> {
                        if (node.fits(role.resources())) names.add(name);
                    });
        }
        return names;
    }

    /**
     * One way to a place by the rule.
     *
     * @param mayTake whom it may take from, by the books as they then are
     * @param mayRun whether it may run by the books as they are in the end
     */
    private record Right(BiPredicate<Job, Books> mayTake, Predicate<Books> mayRun) {}

    private List<Right> rights(Place place) {
        Job job = place.job;
        var asItStands =
                new Right(
                        (other, now) -> now.mayTake(other, job, place.isInsideQuota, place.after),
                        now -> now.mayRun(job));
        if (place.isInsideQuota) return List.of(asItStands);
        // Its project's own quota is full: perhaps others hold too much of that.
        var ofItsQuota =
                new Right(
                        (other, now) ->
                                other.spec().project().equals(job.spec().project())
                                        && now.mayTake(other, job, true, place.after),
                        now -> now.mayRun(job) && now.isInsideQuota(job));
        return List.of(asItStands, ofItsQuota);
    }

    /** Those who may stop so that the job has room on these nodes, if that is enough. */
    private Optional<List<Job>> stopsFor(Place place, Set<String> where) {
        for (Right right : rights(place)) {
            if (place.job.spec().tasks() > 1) {
                Optional<List<Job>> found = stopsOn(where, place.job, right);
                if (found.filter(stops -> isNextThen(place, stops, where)).isPresent())
                    return found;
                continue;
            }
            for (String node : where) {
                Optional<List<Job>> found = stopsOn(Set.of(node), place.job, right);
                if (found.filter(stops -> isNextThen(place, stops, Set.of(node))).isPresent())
                    return found;
            }
        }
        return Optional.empty();
    }

    /**
     * Whether nobody else stands before the job for these nodes once the others have stopped: who
     * has stopped holds less, and so does their project, so it may be another's turn then. Who
     * holds less of a project that is full may take its quota from the job's owner.
     */
    private boolean isNextThen(Place place, List<Job> stops, Set<String> where) {
        if (breaksAnotherPromise(stops, place.job)) return false;
        Books then = books.copy();
        stops.forEach(then::giveBack);
        Set<String> claimed = new HashSet<>();
        boolean isAhead = true;
        for (Place other : line(then, stops)) {
            if (other.job.equals(place.job)) {
                isAhead = false;
                continue;
            }
            boolean isOfItsQuota =
                    other.after < place.after
                            && other.job.spec().project().equals(place.job.spec().project());
            boolean mayRun = !isHeldUp(other.job) && then.mayRun(other.job);
            // What one has borrowed goes to whoever has a right to it.
            boolean yields = other.job.spec().interactive() || !then.isInsideQuota(place.job);
            if (mayRun && (isAhead || isOfItsQuota)
                    || yields && mayTakeItsQuota(other, then, stops))
                claimed.addAll(whereItCouldRun(other.job));
        }
        Map<String, NodeState> room = new TreeMap<>(nodes);
        room.keySet().retainAll(where);
        room.keySet().removeAll(claimed);
        stops.forEach(job -> release(job, room));
        return fits(place.job, room);
    }

    /**
     * Whether it has its part of its project's quota, and room, once others of that project make
     * way for it too, its owner's own jobs first of all if it is interactive.
     */
    private boolean mayTakeItsQuota(Place place, Books then, List<Job> stops) {
        Job job = place.job;
        if (then.isInsideQuota(job) || isHeldUp(job)) return false;
        Books without = then.copy();
        Map<String, NodeState> room = new TreeMap<>(allNodes);
        stops.forEach(stop -> release(stop, room));
        for (Job other : disturbable()) {
            boolean isThere =
                    other.spec().project().equals(job.spec().project()) && !stops.contains(other);
            if (!isThere || !without.mayTake(other, job, true, place.after)) continue;
            without.giveBack(other);
            release(other, room);
        }
        return without.isInsideQuota(job) && without.mayRun(job) && fits(job, room);
    }

    /**
     * Whether these stops would take from others what they are guaranteed, where more is guaranteed
     * than there is: then one promise stands against another.
     */
    private boolean breaksAnotherPromise(List<Job> stops, Job job) {
        long promised = 0;
        for (var project : view.rules().projects().values()) {
            promised += view.rules().hasQuotas() ? view.rules().quota(project.name()) : 0;
        }
        long gpus = allNodes.values().stream().mapToLong(node -> node.node().gpus().size()).sum();
        if (promised <= gpus * Resources.GPU) return false;
        Books then = books.copy();
        stops.forEach(then::giveBack);
        return stops.stream()
                .filter(stop -> !stop.spec().project().equals(job.spec().project()))
                .anyMatch(then::isInsideQuota);
    }

    /** Stops whoever may be stopped on these nodes, one after another, until there is room. */
    private Optional<List<Job>> stopsOn(Set<String> where, Job job, Right right) {
        Map<String, NodeState> room = new TreeMap<>(nodes);
        room.keySet().retainAll(where);
        Books now = books.copy();
        var stopped = new ArrayList<Job>();
        if (right.mayRun.test(now) && fits(job, room)) return Optional.of(stopped);
        for (Job other : disturbable()) {
            if (!isOn(other, where) || !right.mayTake.test(other, now)) continue;
            now.giveBack(other);
            release(other, room);
            stopped.add(other);
            if (right.mayRun.test(now) && fits(job, room)) return Optional.of(stopped);
        }
        return Optional.empty();
    }

    /** Small ones first, so that as many as possible may be asked. */
    private List<Job> disturbable() {
        return view.active().stream()
                .filter(job -> job.spec().gpus() > 0 && !job.spec().interactive())
                .filter(this::isDisturbable)
                .sorted(Comparator.comparing((Job job) -> job.spec().milliGpus()))
                .toList();
    }

    private boolean isDisturbable(Job job) {
        Instant now = view.now();
        return job.state() instanceof JobState.Running running
                && !running.since().plus(view.rules().undisturbed()).isAfter(now);
    }

    private static boolean isOn(Job job, Set<String> where) {
        return attempt(job).placement().tasks().stream()
                .anyMatch(task -> where.contains(task.node()));
    }

    private static Attempt attempt(Job job) {
        return ((JobState.Active) job.state()).attempt();
    }

    private static void release(Job job, Map<String, NodeState> room) {
        for (TaskPlacement task : attempt(job).placement().tasks()) {
            Resources ask = job.spec().role(task.task().role()).resources();
            room.computeIfPresent(task.node(), (_, node) -> node.release(ask, task.shares()));
        }
    }

    /** All tasks on the first node that holds them, the largest first. */
    private static boolean fits(Job job, Map<String, NodeState> room) {
        Map<String, NodeState> left = new HashMap<>(room);
        var roles = new ArrayList<>(job.spec().roles());
        roles.sort(Comparator.comparing((Role role) -> -role.resources().gpus()));
        for (Role role : roles) {
            for (int i = 0; i < role.count(); i++) {
                if (!take(role.resources(), left)) return false;
            }
        }
        return true;
    }

    private static boolean take(Resources ask, Map<String, NodeState> left) {
        for (var entry : left.entrySet()) {
            if (!entry.getValue().fits(ask)) continue;
            entry.setValue(entry.getValue().take(ask, entry.getValue().shares(ask).orElseThrow()));
            return true;
        }
        return false;
    }
}
