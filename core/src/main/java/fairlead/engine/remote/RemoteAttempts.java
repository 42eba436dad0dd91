package fairlead.engine.remote;

import fairlead.engine.EngineException;
import fairlead.engine.Observation;
import fairlead.engine.Terms;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The attempts of an engine that were launched and not forgotten, and the order in which things are
 * done to each: one after the other, and written down in the home before the service that runs it
 * is asked. Any thread may call.
 */
public final class RemoteAttempts<A extends RemoteAttempt> {
    /** Asks the service for what is ordered. Every call may be a repeat. */
    public interface Service<A> {
        /** Writes down what is ordered of a new attempt, and adds it. */
        void admit(Effect.Launch launch) throws EngineException, IOException;

        /** Called with the attempt's lock held, as are the next two. */
        void launch(A attempt, Effect.Launch launch) throws EngineException, IOException;

        /** The order is written down. Not called when all tasks have ended. */
        void stop(A attempt) throws EngineException, IOException;

        /** Ends by force what may still run, before the attempt is dropped. */
        void forget(A attempt) throws EngineException, IOException;
    }

    public interface Work<A> {
        void on(A attempt) throws EngineException, IOException;
    }

    private final String cluster;
    private final RemoteHome home;
    private final Terms terms;
    private final Function<IOException, String> words;
    private final Service<A> service;
    private final Map<AttemptId, A> live = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final Object admission = new Object();
    private volatile boolean isClosed;

    /**
     * @param cluster its name, for messages
     * @param words what a failure of the service or of the disk is called in messages
     */
    public RemoteAttempts(
            String cluster,
            RemoteHome home,
            Terms terms,
            Function<IOException, String> words,
            Service<A> service) {
        this.cluster = cluster;
        this.home = home;
        this.terms = terms;
        this.words = words;
        this.service = service;
    }

    public void add(A attempt) {
        live.put(attempt.id, attempt);
    }

    public void addIfAbsent(A attempt) {
        live.putIfAbsent(attempt.id, attempt);
    }

    public Optional<A> find(AttemptId id) {
        return Optional.ofNullable(live.get(id));
    }

    /** As they are at any moment, without a copy. */
    public Collection<A> all() {
        return Collections.unmodifiableCollection(live.values());
    }

    /** Of all that have been looked at. */
    public List<Observation> observations() {
        return live.values().stream()
                .map(attempt -> attempt.observation)
                .filter(Objects::nonNull)
                .toList();
    }

    public void launch(Effect.Launch launch) throws EngineException {
        boolean isDone = false;
        while (!isDone) {
            requireOpen();
            var attempt = admit(launch);
            if (attempt.isEmpty()) return;
            isDone = holding(attempt.get(), it -> service.launch(it, launch));
        }
        tell();
    }

    /** Empty when it was stopped or forgotten before. */
    private Optional<A> admit(Effect.Launch launch) throws EngineException {
        var id = launch.attempt();
        synchronized (admission) {
            var there = find(id);
            if (there.isPresent() || home.files(id).isNever()) return there;
            var refusal = terms.refuses(launch.job().spec());
            if (refusal.isPresent()) throw new EngineException(refusal.get());
            try {
                service.admit(launch);
            } catch (IOException problem) {
                throw failed(id, problem);
            }
            return find(id);
        }
    }

    public void stop(AttemptId id, Duration grace) throws EngineException {
        boolean isDone = false;
        while (!isDone) {
            requireOpen();
            Optional<A> attempt;
            synchronized (admission) {
                attempt = find(id);
                if (attempt.isEmpty()) {
                    setNever(id);
                    return;
                }
            }
            attempt.get().isStopWanted = true;
            isDone = holding(attempt.get(), it -> stop(it, grace));
        }
        tell();
    }

    private void setNever(AttemptId id) throws EngineException {
        try {
            home.files(id).setNever();
        } catch (IOException problem) {
            throw failed(id, problem);
        }
    }

    private void stop(A attempt, Duration grace) throws EngineException, IOException {
        if (attempt.allEnded()) return;
        attempt.order(grace);
        service.stop(attempt);
    }

    /** Answers the attempt that was dropped; empty when there was none. */
    public Optional<A> forget(AttemptId id) throws EngineException {
        requireOpen();
        var attempt = find(id);
        if (attempt.isEmpty()) return attempt;
        attempt.get().isStopWanted = true;
        boolean isDropped = holding(attempt.get(), this::forget);
        tell();
        return isDropped ? attempt : Optional.empty();
    }

    private void forget(A attempt) throws EngineException, IOException {
        service.forget(attempt);
        attempt.files.setNever();
        home.drop(attempt.id);
        attempt.drop();
        live.remove(attempt.id, attempt);
    }

    /** Does the work while nobody else touches the attempt; false when it is no longer live. */
    public boolean holding(A attempt, Work<A> work) throws EngineException {
        attempt.lock.lock();
        try {
            if (attempt.isGone()) return false;
            work.on(attempt);
            return true;
        } catch (IOException problem) {
            throw failed(attempt.id, problem);
        } finally {
            attempt.lock.unlock();
        }
    }

    private EngineException failed(AttemptId id, IOException problem) {
        return new EngineException(id + ": " + words.apply(problem), problem);
    }

    /** Logs of tasks that run stay. */
    public void requireEnded(JobId job) throws EngineException {
        for (A attempt : live.values()) {
            if (attempt.id.job().equals(job)) holding(attempt, RemoteAttempts::requireEnded);
        }
    }

    private static void requireEnded(RemoteAttempt attempt) throws EngineException {
        if (!attempt.allEnded())
            throw new EngineException(attempt.id + " still runs, so its logs stay");
    }

    public void deleteLogs(JobId job) throws EngineException {
        requireEnded(job);
        try {
            home.delete(job);
        } catch (IOException problem) {
            throw new EngineException("cannot delete the logs of " + job + ": " + problem, problem);
        }
    }

    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Something that observations show may have changed. */
    public void tell() {
        listeners.forEach(Runnable::run);
    }

    public void requireOpen() throws EngineException {
        if (isClosed) throw new EngineException("the engine of " + cluster + " is closed");
    }

    public boolean isClosed() {
        return isClosed;
    }

    /** Takes no more orders. Answers whether it took them until now. */
    public boolean close() {
        boolean wasOpen = !isClosed;
        isClosed = true;
        return wasOpen;
    }

    /** Lets go of what the engine has for each attempt, with its lock held. */
    public void release(Consumer<A> work) {
        for (A attempt : live.values()) {
            attempt.lock.lock();
            try {
                work.accept(attempt);
            } finally {
                attempt.lock.unlock();
            }
        }
    }
}
