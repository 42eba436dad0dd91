package fairlead.control;

import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.Effect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Carries out what states owe. A failure is not final: the state still owes it, so it is tried
 * again after a pause that grows to a bound. The loop selects; any thread may run what was
 * selected, and calls about one attempt never run at the same time.
 */
public final class Interpreter {
    private static final System.Logger LOG = System.getLogger(Interpreter.class.getName());
    private static final Duration PAUSE_FIRST = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    /** An accepted call whose result is not seen for so long is repeated: its trace may be lost. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Map<String, Engine> engines;
    private final Duration stopGrace;
    private final Predicate<Message> inbox;
    private final Map<AttemptId, Progress> progress = new ConcurrentHashMap<>();
    private final AtomicLong acknowledgements = new AtomicLong();

    /** How far the calls about one attempt have come. Immutable, so that any thread may look. */
    private record Progress(
            Class<?> call,
            boolean isUnderWay,
            Instant nextTry,
            int failures,
            Optional<String> trouble) {}

    /**
     * @param engines by cluster; more may come
     */
    public Interpreter(Map<String, Engine> engines, Duration stopGrace, Predicate<Message> inbox) {
        this.engines = engines;
        this.stopGrace = stopGrace;
        this.inbox = inbox;
    }

    /** Those that should be run now; each is then marked as under way. Loop only. */
    public List<Owed> select(Collection<Owed> owed, Instant now) {
        var selected = new ArrayList<Owed>();
        Set<AttemptId> known = new HashSet<>();
        for (Owed each : owed) {
            AttemptId attempt = each.effect().attempt();
            known.add(attempt);
            Class<?> call = each.effect().getClass();
            Progress before = progress.get(attempt);
            if (before != null && before.isUnderWay()) continue;
            boolean isNew = before == null || before.call() != call;
            if (!isNew && before.nextTry().isAfter(now)) continue;
            int failures = isNew ? 0 : before.failures();
            progress.put(
                    attempt,
                    new Progress(
                            call,
                            true,
                            now,
                            failures,
                            isNew ? Optional.empty() : before.trouble()));
            selected.add(each);
        }
        progress.entrySet()
                .removeIf(
                        entry -> !entry.getValue().isUnderWay() && !known.contains(entry.getKey()));
        return selected;
    }

    /** Any thread, once for each selected one. */
    public void run(Owed owed, Instant now) {
        Effect effect = owed.effect();
        try {
            Engine engine = engines.get(owed.cluster());
            switch (effect) {
                case Effect.Launch launch -> engine.launch(launch.asking(launch.job().ownSpec()));
                case Effect.Stop stop -> engine.stop(stop.attempt(), stopGrace);
                case Effect.Forget forget -> engine.forget(forget.attempt());
            }
            progress.computeIfPresent(
                    effect.attempt(),
                    (_, p) ->
                            new Progress(p.call(), false, now.plus(PATIENCE), 0, Optional.empty()));
            inbox.test(new Message.Acknowledged(effect, acknowledgements.incrementAndGet()));
        } catch (EngineException failure) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} of {1} failed, will be repeated: {2}",
                    effect.getClass().getSimpleName(),
                    effect.attempt(),
                    failure.getMessage());
            progress.computeIfPresent(
                    effect.attempt(),
                    (_, p) ->
                            new Progress(
                                    p.call(),
                                    false,
                                    now.plus(pause(p.failures())),
                                    p.failures() + 1,
                                    Optional.of(failure.getMessage())));
        }
    }

    /** When the next failed or unanswered call is due again. */
    public Optional<Instant> nextTry() {
        return progress.values().stream()
                .filter(p -> !p.isUnderWay())
                .map(Progress::nextTry)
                .min(Instant::compareTo);
    }

    /** What went wrong with the last call about this attempt. Any thread. */
    public Optional<String> trouble(AttemptId attempt) {
        return Optional.ofNullable(progress.get(attempt)).flatMap(Progress::trouble);
    }

    /**
     * How many calls have been accepted: a look at an engine notes this before it begins. Any
     * thread.
     */
    public long acknowledgements() {
        return acknowledgements.get();
    }

    private static Duration pause(int failures) {
        Duration pause = PAUSE_FIRST.multipliedBy(1L << Math.min(failures, 10));
        return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
    }
}
