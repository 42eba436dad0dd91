package fairlead.policy.fair;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.policy.Explanation;
import fairlead.policy.Line;
import fairlead.policy.Obstacle;
import fairlead.policy.Places;
import fairlead.policy.Plan;
import fairlead.policy.Room;
import fairlead.policy.Tally;
import fairlead.policy.fair.Candidates.Candidate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One run of the fair rule over a view. Decides on the waiting jobs in turn: first those inside
 * their project's quota, then those that borrow, then those without GPUs.
 *
 * <p>Two rooms are kept side by side: what is free now, from which jobs start, and what will be
 * free once everyone who was asked to stop has stopped, from which jobs that wait for such a stop
 * are given their place, so that nobody else takes it meanwhile.
 */
final class FairPass {
    /** Whoever holds little stands near the head; to look at all of a long line takes too long. */
    private static final int DECIDED_BEHIND_MAX = 200;

    /** Why a job waits, where nobody asks. */
    private static final List<Obstacle> UNSAID = List.of();

    private final StartingPoint point;
    private final View view;
    private final Stops stops;
    private final Room room;
    private final Room future;
    private final Tally tally;
    private final Victims victims;
    private final List<Plan.Start> starts = new ArrayList<>();
    private final List<Job> started = new ArrayList<>();
    private final List<Plan.Preempt> preempts = new ArrayList<>();
    private final List<Job> stopped = new ArrayList<>();
    private final List<Job> helped = new ArrayList<>();
    private final List<Explanation> explanations = new ArrayList<>();
    private final Places places = new Places();
    private final List<Reservation.Seat> seats = new ArrayList<>();
    private final Set<JobId> leaving = new HashSet<>();

    /**
     * By project, the job that waits for a stop inside the quota. Meanwhile the project borrows
     * nothing: what it borrowed would fill the quota that the stop was for.
     */
    private final Map<String, JobId> takingBack = new HashMap<>();

    private final Map<JobId, List<JobId>> stoppingFor;

    /** Who has a place already, because others are stopping for it. */
    private final Set<JobId> promised = new HashSet<>();

    private boolean keepsPromises;

    /** Of those whom somebody asks about. */
    private final Set<JobId> undecided = new HashSet<>();

    /** For whom alone others may be stopped; null where that is not one job. */
    private JobId stopsFor;

    /** So that many jobs of one kind do not use up the searches of all others. */
    private final Set<Search> searchedInVain = new HashSet<>();

    /** The same of those who looked for their part of a quota. */
    private final Set<Search> soughtQuotaInVain = new HashSet<>();

    private final ReservedPlace reserved = new ReservedPlace();
    private int victimSearches;
    private int decidedBehind;
    private int jobsBehind;

    /** A plan needs no words, and these cost more. */
    private boolean isExplaining;

    /**
     * Who may be stopped in a pass, and for whom.
     *
     * @param mayTake for whom others may be asked to stop
     * @param patient whose next jobs do not pass the one for which others are asked to stop
     * @param spared who is not asked
     * @param paysBack whether all that a project has borrowed stops for a part of its quota
     */
    record Stops(Predicate<Job> mayTake, Set<String> patient, Set<JobId> spared, boolean paysBack) {
        static final Stops ANY = new Stops(_ -> true, Set.of(), Set.of(), true);
        static final Stops NONE = new Stops(_ -> false, Set.of(), Set.of(), true);
    }

    FairPass(StartingPoint point, Stops stops) {
        this.stops = stops;
        this.point = point;
        this.view = point.view();
        this.room = point.room().copy();
        this.tally = point.tally().copy();
        this.future = room.copy();
        for (Job job : point.stopping()) {
            future.release(job);
            if (Promises.makesRoom(job)) tally.leave(job);
        }
        this.victims = new Victims(point, future, tally, reserved, stops.spared());
        this.stoppingFor = point.stoppingFor();
    }

    /**
     * What a pass has decided.
     *
     * @param started as they waited, in the order of the plan's starts
     * @param stopped as they run, in the order of the plan's preempts
     * @param helped for whom these stop
     */
    record Draft(Plan plan, List<Job> started, List<Job> stopped, List<Job> helped) {
        static final Draft NOTHING = new Draft(Plan.NOTHING, List.of(), List.of(), List.of());

        /** Only the first so many starts, and no stops. */
        Draft starting(int count) {
            var fewer = new Plan(plan.starts().subList(0, count), List.of(), plan.wake());
            return new Draft(fewer, started.subList(0, count), List.of(), List.of());
        }
    }

    /** Decides as far as something can still start. */
    Draft draft() {
        seatThePromised();
        return draft(_ -> !canNothingStart());
    }

    /** The same, but no further than to this job if nobody stops for it. */
    Draft draftWithStopsFor(JobId job) {
        seatThePromised();
        undecided.add(job);
        stopsFor = job;
        return draft(_ -> !canNothingStart() && (!undecided.isEmpty() || !stopped.isEmpty()));
    }

    /** Each in turn, as if nothing had been promised, until it is decided on all of these. */
    Draft draftInTurn(Set<JobId> asked) {
        undecided.addAll(asked);
        return draft(_ -> !canNothingStart() && !undecided.isEmpty());
    }

    private Draft draft(Predicate<Job> goesOn) {
        run(goesOn);
        Optional<Instant> wake = victimSearches > 0 ? victims.nextCandidate() : Optional.empty();
        return new Draft(new Plan(starts, preempts, wake), started, stopped, helped);
    }

    /** To whom more was promised than there is. */
    Set<JobId> unseated() {
        seatThePromised(tally::isEntitled);
        seatThePromised(_ -> true);
        Set<JobId> unseated = new HashSet<>();
        for (Job job : point.promised()) {
            if (!promised.contains(job.id())) unseated.add(job.id());
        }
        return unseated;
    }

    /** Decides on every job, so that each knows its place and its obstacles. */
    List<Explanation> explain() {
        isExplaining = true;
        seatThePromised();
        run(_ -> true);
        return explanations;
    }

    private void run(Predicate<Job> goesOn) {
        serveGpuJobs(goesOn);
        serveCpuJobs();
    }

    /**
     * Those for whom others stop, or have stopped, have their places before anyone else: places
     * found anew each time would move, and let somebody slip in between. They have them in the
     * order in which they were promised, or one could take the only place of another; and of what
     * will be free in the end, so that it does not matter who stops first.
     */
    private void seatThePromised() {
        keepsPromises = true;
        seatThePromised(tally::isEntitled);
    }

    private void seatThePromised(Predicate<Job> which) {
        var later = new ArrayList<Reservation.Seat>();
        for (Job job : point.promised()) {
            boolean isSeated = promised.contains(job.id());
            if (isSeated || !which.test(job) || refusal(job).isPresent()) continue;
            Optional<Placement> place = future.take(job.spec());
            if (place.isEmpty()) continue;
            promised.add(job.id());
            if (room.take(job.spec(), place.get())) {
                seat(job, place.get());
                begin(job, place.get());
            } else {
                holdForLater(job, place.get());
                later.add(seats.getLast());
            }
        }
        later.forEach(this::startElsewhere);
    }

    /** Where there is room by now that nobody was promised. */
    private void startElsewhere(Reservation.Seat seat) {
        Job job = seat.job();
        Optional<Placement> place = room.take(job.spec());
        if (place.isEmpty()) return;
        future.giveBack(job.spec(), seat.placement());
        takeLater(job, place.get());
        seats.set(seats.indexOf(seat), new Reservation.Seat(job, place.get()));
        begin(job, place.get());
    }

    private void holdForLater(Job job, Placement place) {
        room.takeWhatIsFree(job.spec(), place);
        if (tally.isEntitled(job)) takingBack.putIfAbsent(job.spec().project(), job.id());
        seat(job, place);
    }

    private void serveGpuJobs(Predicate<Job> goesOn) {
        var borrowers = new ArrayList<Line.Standing>();
        Iterator<Line.Standing> line = point.gpuLine();
        while (line.hasNext()) {
            Line.Standing next = line.next();
            Job job = next.job();
            if (!goesOn.test(job)) break;
            if (isOutOfReach(job) || isSeated(job) || isPatient(job)) continue;
            Optional<Obstacle> refusal = refusal(job);
            if (refusal.isPresent()) {
                if (!isGivenOwnQuota(next, refusal.get())) note(job, refused(job, refusal.get()));
            } else if (tally.isEntitled(job)) note(job, decide(next));
            else if (!isGivenOwnQuota(next)) borrowers.add(next);
        }
        if (keepsPromises) seatThePromised(_ -> true);
        for (Line.Standing next : borrowers) {
            Job job = next.job();
            if (!goesOn.test(job)) break;
            if (isOutOfReach(job) || isSeated(job) || isPatient(job)) continue;
            JobId takesBack = takingBack.get(job.spec().project());
            if (takesBack == null) {
                // Room that it could have borrowed may be another's by now.
                if (!isGivenOwnQuota(next)) note(job, decide(next));
            } else if (isExplaining) note(job, List.of(obstacleBehind(job, 1, takesBack)));
        }
    }

    /** A quick no behind the reserved start: most want more whole GPUs than will be left. */
    private boolean isOutOfReach(Job job) {
        return reserved.isReserved()
                && !isExplaining
                && !room.hasGpusFor(job.spec())
                && !future.hasGpusFor(job.spec())
                && !maySearch()
                && !undecided.contains(job.id());
    }

    /** Interactive work that must not borrow has its part of a full quota as others have. */
    private boolean isGivenOwnQuota(Line.Standing next, Obstacle refusal) {
        return refusal instanceof Obstacle.QuotaFull && isGivenOwnQuota(next);
    }

    private List<Obstacle> refused(Job job, Obstacle refusal) {
        List<JobId> stopping = stoppingFor.get(job.id());
        return List.of(stopping == null ? refusal : new Obstacle.BeingFreed(stopping));
    }

    private boolean isSeated(Job job) {
        boolean isSeated = promised.contains(job.id());
        if (isSeated && isExplaining) note(job, promiseTo(job));
        return isSeated;
    }

    private boolean isPatient(Job job) {
        if (!stops.patient().contains(job.owner())) return false;
        Optional<Job> own =
                helped.stream().filter(each -> each.owner().equals(job.owner())).findFirst();
        own.ifPresent(each -> note(job, List.of(new Obstacle.BehindInQueue(1, each.id()))));
        return own.isPresent();
    }

    private List<Obstacle> promiseTo(Job job) {
        boolean isStarted = starts.stream().anyMatch(start -> start.job().equals(job.id()));
        if (isStarted) return List.of();
        List<JobId> all = point.stopping().stream().map(Job::id).toList();
        return List.of(new Obstacle.BeingFreed(stoppingFor.getOrDefault(job.id(), all)));
    }

    private boolean canNothingStart() {
        return reserved.isReserved() && !room.hasGpuLeft() && !future.hasGpuLeft() && !maySearch();
    }

    /**
     * Behind a reservation what others have borrowed is taken back, which was promised; and the
     * first few may take what the reserved start does not need.
     */
    private boolean maySearch() {
        return stops != Stops.NONE
                && (stopsFor == null || undecided.contains(stopsFor))
                && victimSearches < victims.searchesMax()
                && (!reserved.isReserved()
                        || tally.isAnyOverQuota()
                        || decidedBehind < DECIDED_BEHIND_MAX);
    }

    /**
     * In a line of their own: the first that finds no room makes those behind it wait. After the
     * others, because CPUs beside a free GPU are worth more to work that uses both; but they wait
     * for nobody's GPU.
     */
    private void serveCpuJobs() {
        Line line = point.cpuLine();
        Job blocker = null;
        int ahead = 0;
        while (line.hasNext()) {
            Job job = line.next().job();
            Optional<Obstacle> refusal = refusal(job).or(() -> point.neverFits(job.spec()));
            if (refusal.isPresent()) {
                note(job, List.of(refusal.get()));
            } else if (blocker != null) {
                note(job, List.of(new Obstacle.BehindInQueue(++ahead, blocker.id())));
            } else if (!start(job, place(job, room))) {
                blocker = job;
                if (isExplaining) note(job, List.of(cpuObstacle(job)));
            }
            if (blocker != null && !isExplaining) return;
        }
    }

    private Obstacle cpuObstacle(Job job) {
        return reserved.isReserved()
                ? obstacleBehind(job, 1, reserved.job())
                : room.obstacles(job.spec()).getFirst();
    }

    /** For a job that must wait for another, room or not: what it lacks comes first. */
    private Obstacle obstacleBehind(Job job, int jobsAhead, JobId blocker) {
        return point.neverFits(job.spec())
                .orElseGet(
                        () ->
                                room.fits(job.spec())
                                        ? new Obstacle.BehindInQueue(jobsAhead, blocker)
                                        : room.obstacles(job.spec()).getFirst());
    }

    /** Why the job may not start even if there were room. */
    private Optional<Obstacle> refusal(Job job) {
        Instant pausesUntil = ((JobState.Queued) job.state()).notBefore();
        if (pausesUntil.isAfter(view.now())) {
            return Optional.of(new Obstacle.RetryPause(pausesUntil));
        }
        return InteractiveWork.refusal(job.spec(), view.rules(), tally);
    }

    /** Starts the job, or finds out when and why not; no obstacle means started. */
    private List<Obstacle> decide(Line.Standing next) {
        List<Obstacle> obstacles = tryToStart(next);
        undecided.remove(next.job().id());
        return obstacles;
    }

    private List<Obstacle> tryToStart(Line.Standing next) {
        Job job = next.job();
        if (reserved.isReserved()) decidedBehind++;
        if (start(job, place(job, room))) return List.of();
        Optional<List<JobId>> freeing = waitForStops(next);
        if (freeing.isPresent()) return List.of(new Obstacle.BeingFreed(freeing.get()));
        if (reserved.isReserved() && !isExplaining) return UNSAID;
        Optional<Obstacle> never = point.neverFits(job.spec());
        if (never.isPresent()) return List.of(never.get());
        if (reserved.isReserved()) {
            return List.of(new Obstacle.BehindInQueue(++jobsBehind, reserved.job()));
        }
        reserved.reserve(job, point, future, seats, leaving);
        return isExplaining ? room.obstacles(job.spec()) : UNSAID;
    }

    private Optional<Placement> place(Job job, Room room) {
        return reserved.takeWithoutDelay(job, room, view);
    }

    private void seat(Job job, Placement place) {
        seats.add(new Reservation.Seat(job, place));
        tally.add(job);
        reserved.lookAgain();
    }

    private boolean start(Job job, Optional<Placement> place) {
        if (place.isEmpty()) return false;
        takeLater(job, place.get());
        seat(job, place.get());
        begin(job, place.get());
        note(job, List.of());
        return true;
    }

    private void takeLater(Job job, Placement place) {
        if (!future.take(job.spec(), place)) {
            throw new IllegalStateException(job.id() + " fits now but not later");
        }
    }

    private void begin(Job job, Placement place) {
        starts.add(new Plan.Start(job.id(), place));
        started.add(job);
    }

    /** Gives the job a place where others stop for it, and asks more of them to stop if it may. */
    private Optional<List<JobId>> waitForStops(Line.Standing next) {
        Job job = next.job();
        List<Candidate> chosen = List.of();
        boolean isEntitled = tally.isEntitled(job);
        Optional<Placement> place = place(job, future);
        if (place.isEmpty() && maySearchFor(job)) {
            victimSearches++;
            chosen = victims.choose(next);
            if (chosen.isEmpty()) searchedInVain.add(Search.of(job, tally));
            else place = Optional.of(reserved.takeBeside(job, future));
        }
        if (place.isEmpty()) return Optional.empty();
        stop(chosen, job, isEntitled);
        holdForLater(job, place.get());
        if (!isExplaining) return Optional.of(List.of());
        return Optional.of(
                chosen.isEmpty() ? point.stopping().stream().map(Job::id).toList() : ids(chosen));
    }

    private void stop(List<Candidate> chosen, Job job, boolean isEntitled) {
        for (Candidate victim : chosen) {
            preempts.add(victims.preempt(victim, job, isEntitled));
            stopped.add(victim.job());
            leaving.add(victim.job().id());
            tally.leaves(victim.job());
        }
        if (!chosen.isEmpty()) helped.add(job);
    }

    /**
     * Where others of its project hold all of the quota, and more of it than its owner, the job has
     * its part of that: it need not borrow, nor wait for those who do.
     */
    private boolean isGivenOwnQuota(Line.Standing next) {
        Job job = next.job();
        if (!tally.isQuotaFull(job) || !maySearchFor(job)) return false;
        if (!stops.paysBack() && tally.takesOfBorrowed(job)) return false;
        var search = Search.of(job, tally);
        if (soughtQuotaInVain.contains(search)) return false;
        // Room beyond the quota is of no use to interactive work.
        if (!job.spec().interactive() && reserved.fitsBeside(job.spec(), future)) return false;
        victimSearches++;
        List<Candidate> chosen = victims.chooseForQuota(next);
        if (chosen.isEmpty()) {
            soughtQuotaInVain.add(search);
            return false;
        }
        undecided.remove(job.id());
        takingBack.putIfAbsent(job.spec().project(), job.id());
        Placement place = reserved.takeBeside(job, future);
        stop(chosen, job, true);
        holdForLater(job, place);
        note(job, List.of(new Obstacle.BeingFreed(ids(chosen))));
        return true;
    }

    private static List<JobId> ids(List<Candidate> chosen) {
        return chosen.stream().map(victim -> victim.job().id()).toList();
    }

    private boolean maySearchFor(Job job) {
        return maySearch()
                && stops.mayTake().test(job)
                // Nobody is stopped twice for the same need.
                && !stoppingFor.containsKey(job.id())
                && !searchedInVain.contains(Search.of(job, tally));
    }

    private void note(Job job, List<Obstacle> obstacles) {
        if (!isExplaining) return;
        boolean isNoted =
                obstacles.isEmpty()
                        && !explanations.isEmpty()
                        && explanations.getLast().job().equals(job.id());
        if (!isNoted)
            explanations.add(new Explanation(job.id(), places.next(job, obstacles), obstacles));
    }
}
