package fairlead.simulator;

import fairlead.cluster.Foresight;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Interpreter;
import fairlead.control.Message;
import fairlead.control.Owed;
import fairlead.control.Tick;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.StopReason;
import fairlead.journal.Fact;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;
import fairlead.justice.Judge;
import fairlead.policies.Policies;
import fairlead.policy.Policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The real controller and a simulated engine in virtual time: nothing fails, and every call takes
 * no time. Whoever plays on it says what jobs do, and when the play is over.
 */
final class Stage {
    static final String CLUSTER = "trace";
    private static final Instant ZERO = Instant.parse("2026-01-01T00:00:00Z");

    /**
     * A tick for each preemption, start and end of one instant is plenty; more is a policy at odds.
     */
    private static final int TICKS_PER_INSTANT_MAX = 10_000;

    final Agenda agenda = new Agenda(ZERO);
    final SimulatedEngine engine;
    private final Setting setting;
    private final Troupe troupe;
    private final Controller controller;
    private final Interpreter interpreter;
    private final List<Message> inbox = new ArrayList<>();
    private Optional<Foretelling> foretelling = Optional.empty();
    private boolean isEngineChanged;
    private int preemptions;

    /** When the controller decides next; far away while nothing has happened. */
    private Instant decision = Instant.MAX;

    /**
     * @param round decisions are made only at its multiples; zero: whenever something happens
     * @param restartCost what policies take a start to cost a training job
     * @param judge who watches the decisions, if anyone does
     */
    record Setting(
            String policy,
            Foresight foresight,
            List<Node> nodes,
            Duration round,
            Duration restartCost,
            long seed,
            Optional<Judge> judge) {
        private Policy watched() {
            Policy named = Policies.byName(policy);
            return judge.<Policy>map(watching -> new Judged(named, watching)).orElse(named);
        }
    }

    /** What jobs do. */
    interface Troupe extends SimulatedEngine.Behaviour {
        /** A script is asked to end once its work is safe. */
        void asked(AttemptId attempt);
    }

    Stage(Setting setting, Troupe troupe) throws JournalException {
        this.setting = setting;
        this.troupe = troupe;
        this.engine = new SimulatedEngine(agenda, setting.nodes(), troupe);
        engine.onChange(
                () -> {
                    isEngineChanged = true;
                    decideBy(agenda.now());
                });
        this.controller =
                new Controller(
                        new MemoryJournal(),
                        List.of(new Cluster(CLUSTER, setting.watched(), setting.foresight())),
                        new Rules(
                                Map.of(),
                                Rules.UNDISTURBED,
                                setting.restartCost(),
                                Rules.STOP_GRACE),
                        new SplittableRandom(setting.seed()));
        this.interpreter = new Interpreter(Map.of(CLUSTER, engine), Duration.ZERO, this::offer);
        offer(new Message.NodesSeen(CLUSTER, engine.nodes()));
    }

    /** Since time zero. */
    Duration now() {
        return Duration.between(ZERO, agenda.now());
    }

    View view() {
        return controller.view(CLUSTER);
    }

    int preemptions() {
        return preemptions;
    }

    /** From now on those who wait are told when they will start. */
    Foretelling foretell() {
        var telling =
                new Foretelling(controller, Policies.byName(setting.policy()), agenda, this::offer);
        foretelling = Optional.of(telling);
        return telling;
    }

    boolean offer(Message message) {
        inbox.add(message);
        decideBy(agenda.now());
        return true;
    }

    private void decideBy(Instant at) {
        Instant due = roundUp(at);
        if (due.isBefore(decision)) decision = due;
    }

    /** Goes on to the next time at which something happens or is decided; false for never. */
    boolean step() throws JournalException {
        Instant next = agenda.next().filter(at -> at.isBefore(decision)).orElse(decision);
        if (next.equals(Instant.MAX)) return false;
        agenda.advance(next);
        if (!decision.isAfter(next)) decide();
        return true;
    }

    /** Ticks until the instant has nothing new: what is stopped now is free for a start now. */
    private void decide() throws JournalException {
        Tick tick;
        int ticks = 0;
        do {
            if (ticks++ == TICKS_PER_INSTANT_MAX) {
                throw new IllegalStateException(
                        setting.policy() + " never settles at " + agenda.now());
            }
            tick = controller.tick(agenda.now(), takeInbox());
            for (int i = 0; i < tick.facts().size(); i++) {
                count(tick.facts().get(i), tick.after().get(i));
            }
            for (Owed owed : interpreter.select(tick.owed(), agenda.now())) {
                interpreter.run(owed, agenda.now());
            }
            agenda.advance(agenda.now());
        } while (!inbox.isEmpty() || isEngineChanged);
        decision = Instant.MAX;
        tick.wake().ifPresent(this::decideBy);
    }

    private List<Message> takeInbox() {
        var batch = new ArrayList<>(inbox);
        inbox.clear();
        if (isEngineChanged) {
            long begun = interpreter.acknowledgements();
            batch.add(new Message.Observed(CLUSTER, engine.observe(), begun));
            isEngineChanged = false;
        }
        return batch;
    }

    private void count(Fact fact, Job after) {
        foretelling.ifPresent(it -> it.see(fact, after));
        if (!(fact.event() instanceof Event.PreemptRequested preempted)) return;
        preemptions++;
        if (after.state() instanceof JobState.Stopping stopping
                && stopping.reason() instanceof StopReason.Preempted reason
                && reason.atCheckpoint()) {
            troupe.asked(preempted.attempt());
        }
    }

    private Instant roundUp(Instant at) {
        long round = setting.round().toNanos();
        if (round == 0) return at;
        long since = Duration.between(ZERO, at).toNanos();
        return ZERO.plusNanos((since + round - 1) / round * round);
    }
}
